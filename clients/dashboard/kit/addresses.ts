const path = (...segments: readonly string[]): string =>
  `/app${segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')}`;

const withFields = (to: string, fields: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1]));
  return given.length === 0 ? to : `${to}?${new URLSearchParams(given)}`;
};

/** The addresses of pages, for links. Their patterns stand in `routes.ts`. */
export const to = {
  home: path(),
  signUp: path('sign-up'),
  signIn: (next?: string) => withFields(path('sign-in'), { next }),
  /** With the organisation's provider; `fresh`: the provider asks for the password again. `by`: `key` opens the form for one. */
  signInAt: (
    organisation: string,
    fields: { readonly fresh?: '1'; readonly by?: 'key'; readonly next?: string } = {},
  ) => withFields(path('sign-in'), { organisation, ...fields }),
  signedIn: (organisation: string) => path('signed-in', organisation),
  cli: path('cli'),
  project: (project: string) => path('p', project),
  suite: (project: string, suite: string) => path('p', project, 's', suite),
  /** Where one output is tried. */
  trial: (project: string, suite: string) => withFields(path('p', project, 's', suite), { try: '1' }),
  /** With the form of a case open. */
  newCase: (project: string, suite: string) =>
    withFields(path('p', project, 's', suite, 'cases'), { new: '1' }),
  /** `like`: the key of a case of which another one is to be made. */
  cases: (project: string, suite: string, like?: string) =>
    withFields(path('p', project, 's', suite, 'cases'), { like }),
  history: (project: string, suite: string, tab?: 'baselines' | 'waivers' | 'bars') =>
    withFields(path('p', project, 's', suite, 'history'), { tab }),
  case: (project: string, suite: string, key: string) => path('p', project, 's', suite, 'c', key),
  scorer: (project: string, key: string) => path('p', project, 'scorers', key),
  run: (run: string, key?: string) => withFields(path('runs', run), { case: key }),
  compare: (a: string, b: string) => withFields(path('compare'), { a, b }),
  settings: (part: 'usage' | 'keys' | 'byok' | 'issuers') => path('settings', part),
} as const;
