import { APP_CONFIG, APP_PAGE, ONLY_READ, TO_APP } from '../../clients/pages/app.ts';

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As CloudFront writes it. */
function written({ statusCode, headers, body }: Answer): string {
  const values = Object.entries(headers).map(([name, value]) => [name, { value }]);
  return JSON.stringify({
    statusCode,
    headers: Object.fromEntries(values),
    ...(body !== undefined && { body: { encoding: 'text', data: body } }),
  });
}

/** What CloudFront does itself with requests for pages of the dashboard, before it asks the bucket. */
export const APP_FUNCTION = `function handler(event) {
  const request = event.request;
  if (request.method !== 'GET' && request.method !== 'HEAD') return ${written(ONLY_READ)};
  if (request.uri === '/') return ${written(TO_APP)};
  if (request.uri !== '${APP_CONFIG}') request.uri = '${APP_PAGE}';
  return request;
}
`;
