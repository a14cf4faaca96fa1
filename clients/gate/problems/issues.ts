import type { EvalgateError } from '../../sdk/index.ts';

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What an error lists beside its sentence. */
type Details = Pick<EvalgateError, 'details'>;

/** The fields that the service refused. */
export const issuesOf = ({ details }: Details): readonly Issue[] =>
  listed(details?.issues).map((issue) => {
    const { path = '', message = '' } = (issue ?? {}) as Partial<Issue>;
    return { path: String(path), message: String(message) };
  });

/** The suites that the credential may run, where the one of the request is none of them. */
export const permittedSuites = ({ details }: Details): readonly string[] =>
  listed(details?.suites).map(String);

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
