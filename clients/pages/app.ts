/** The paths of the dashboard, as CloudFront writes patterns. No endpoint and no other page has one of them. */
export const APP_PATHS = ['/', '/app', '/app.json', '/app/*', '/assets/*'] as const;
export const APP_ASSETS: (typeof APP_PATHS)[number] = '/assets/*';

export const isOfApp = (path: string): boolean =>
  APP_PATHS.some((pattern) =>
    pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );

/** The script that writes the files to stdout, as `readApp` reads them. */
export const APP_MADE_BY = 'clients/dashboard/pack.ts';
/** It is served under `/app`, and under every path below. */
export const APP_PAGE = '/app/index.html';
export const APP_CONFIG = '/app.json';

export interface AppFile {
  /** `/app/index.html`, or `/assets/…` with a hash of the content in the name. */
  readonly path: string;
  readonly type: string;
  readonly cacheControl: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
/** Asked for again each time, so that the page is that of the service which runs. */
const CHECKED = 'no-cache';
/** Under one name there is one content. */
const KEPT = 'public, max-age=31536000, immutable';

/** The files of the dashboard, from a JSON object of their bytes in base64. */
export function readApp(packed: Buffer): AppFile[] {
  const files: Record<string, string> = JSON.parse(packed.toString());
  return Object.entries(files).map(([name, content]) => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) throw new Error(`Say in clients/pages/app.ts of which type ${name} is.`);
    const isAsset = name.startsWith('assets/');
    return {
      path: isAsset ? `/${name}` : `/app/${name}`,
      type,
      cacheControl: isAsset ? KEPT : CHECKED,
      body: Buffer.from(content, 'base64'),
    };
  });
}

/** What the deployment offers: sign-up, plans to buy, a sign-in. */
export interface Offers {
  readonly sign_up: 'open' | 'closed';
  readonly payments: 'on' | 'off';
  /** Whose sign-in the page offers without a link that names one. */
  readonly sign_in_organisation?: string | undefined;
}

export const appConfig = (offers: Offers): AppFile => ({
  path: APP_CONFIG,
  type: 'application/json; charset=utf-8',
  cacheControl: CHECKED,
  body: Buffer.from(JSON.stringify(offers)),
});

/** The answer of `/`. */
export const TO_APP = { statusCode: 302, headers: { location: '/app', 'cache-control': CHECKED } } as const;

/** The answer to other methods than GET and HEAD. */
export const ONLY_READ = {
  statusCode: 405,
  headers: {
    allow: 'GET, HEAD',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  },
  body: JSON.stringify({
    error: {
      code: 'METHOD_NOT_ALLOWED',
      message: 'This path takes GET, HEAD only.',
      details: { allow: ['GET', 'HEAD'] },
    },
  }),
} as const;
