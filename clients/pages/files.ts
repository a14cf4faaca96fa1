interface Page {
  /** Under which it is served. */
  readonly path: string;
  readonly type: string;
}

/** A file of this folder. */
export interface PageFile extends Page {
  readonly file: string;
}

/** What is not committed: a script of this repository writes it to stdout. */
export interface MadePage extends Page {
  readonly madeBy: string;
  /** Where an image has it, as the script needs packages that the service does without. */
  readonly keptIn?: string;
}

/** What is served as it is, to anybody. No endpoint has one of these paths. */
export const PAGE_FILES: readonly (PageFile | MadePage)[] = [
  { path: '/openapi.json', file: 'openapi.json', type: 'application/json; charset=utf-8' },
  { path: '/docs', madeBy: 'clients/docs/pack.ts', type: 'text/html; charset=utf-8' },
  { path: '/guides', madeBy: 'clients/docs/packGuides.ts', type: 'text/html; charset=utf-8' },
  { path: '/docs.css', madeBy: 'clients/docs/packStyles.ts', type: 'text/css; charset=utf-8' },
  { path: '/docs.js', file: 'docs.js', type: 'text/javascript; charset=utf-8' },
  ...['evalgate.v1.json', 'suite.v1.json', 'scorers.v1.json'].map((name) => ({
    path: `/schema/${name}`,
    file: `schema/${name}`,
    type: 'application/json; charset=utf-8',
  })),
  {
    path: '/client/evalgate.tgz',
    madeBy: 'clients/npm/pack.ts',
    keptIn: 'clients/npm/evalgate.tgz',
    type: 'application/gzip',
  },
];
