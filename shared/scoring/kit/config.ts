import type * as z from 'zod';
import type { ConfigIssue, ScorerDefinition } from './definition.ts';
import { clip } from './text.ts';

const UNKNOWN_FIELDS_MAX = 20;
const SHOWN_NAME_LENGTH_MAX = 100;

export type ParsedConfig<Config> =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly issues: ConfigIssue[] };

export function parseConfig<Config>(
  definition: ScorerDefinition<Config>,
  config: unknown,
): ParsedConfig<Config> {
  const parsed = definition.configSchema().safeParse(config);
  if (parsed.success) return { ok: true, config: parsed.data };
  const issues = parsed.error.issues.flatMap(inBranches);
  return { ok: false, issues: issues.flatMap((issue) => issuesOf(issue, definition)) };
}

/** What is wrong with the branch of a union that a value belongs to by its kind. */
function inBranches(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isOtherKind = ({ code, path }: z.core.$ZodIssue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
  const branch = issue.errors.find((errors) => !errors.some(isOtherKind));
  if (branch === undefined) return [issue];
  return branch.flatMap((inner) => inBranches({ ...inner, path: [...issue.path, ...inner.path] }));
}

function issuesOf(issue: z.core.$ZodIssue, { type, configSchema }: ScorerDefinition<unknown>): ConfigIssue[] {
  const path = ['config', ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: issue.message }];
  const known = Object.keys(configSchema().shape).map((name) => `\`${name}\``);
  const place =
    issue.path.length === 0 ? `a field of ${type}, which knows ${known.join(', ')}` : 'known here';
  const message = `is not ${place}: correct its name or leave it out`;
  return issue.keys
    .slice(0, UNKNOWN_FIELDS_MAX)
    .map((name) => ({ path: [...path, clip(name, SHOWN_NAME_LENGTH_MAX)].join('.'), message }));
}

export function inWords({ path, message }: ConfigIssue): string {
  return `${path} ${message}`;
}

/** Makes a value when it is first asked for, so that a start makes no schema which it does not use. */
export function once<Made extends object>(make: () => Made): () => Made {
  let kept: Made | undefined;
  return () => {
    kept ??= make();
    return kept;
  };
}
