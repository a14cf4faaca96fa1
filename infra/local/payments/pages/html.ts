import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { htmlPage as pageOf } from '../../../../shared/http/htmlPage.ts';

export { escaped } from '../../../../shared/http/htmlPage.ts';

const STYLE = `
.simulated { border: 1px solid #8a6d00; background: #fff8dc; padding: .5rem 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { font-weight: bold }
dd { margin: 0 }
button { font: inherit; padding: .5rem 1rem; margin: 0 .5rem .5rem 0; border: 1px solid #0b4f9e; background: #0b4f9e; color: #fff; cursor: pointer }
button.plain { background: #fff; color: #0b4f9e }
:focus-visible { outline: 3px solid #d98200; outline-offset: 2px }
`;

const SIMULATED =
  '<p class="simulated">This payment provider is simulated: no card is asked for and no money moves.</p>';

/** `title` is text, `content` is HTML. */
export function htmlPage(
  statusCode: number,
  title: string,
  content: string,
): APIGatewayProxyStructuredResultV2 {
  const page = pageOf({
    title,
    content: `${SIMULATED}\n${content}`,
    style: STYLE,
    // Not 'self': browsers apply it to redirects after a form, and a payment redirects to the caller's success_url.
    formAction: 'http: https:',
    // With no-referrer a browser sends the form with "Origin: null".
    referrerPolicy: 'same-origin',
  });
  return { statusCode, ...page };
}

/** 303 makes the browser continue with GET. */
export function redirect(location: string): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: 303,
    headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin', location },
  };
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
