export interface PageFile {
  /** Under which it is served. */
  readonly path: string;
  /** In this folder. */
  readonly file: string;
  readonly type: string;
}

/** What is served as it is, to anybody. No endpoint has one of these paths. */
export const PAGE_FILES: readonly PageFile[] = [
  { path: '/openapi.json', file: 'openapi.json', type: 'application/json; charset=utf-8' },
  { path: '/docs', file: 'docs.html', type: 'text/html; charset=utf-8' },
  { path: '/docs.css', file: 'docs.css', type: 'text/css; charset=utf-8' },
  ...['evalgate.v1.json', 'suite.v1.json', 'scorers.v1.json'].map((name) => ({
    path: `/schema/${name}`,
    file: `schema/${name}`,
    type: 'application/json; charset=utf-8',
  })),
];
