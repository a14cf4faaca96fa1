import * as z from 'zod';
import type { Located, Path } from '../locate.ts';
import type { Problems } from './problems.ts';
import { knownFields, nearest } from './unknownFields.ts';

/** A part of a document, to be told from its other parts. */
export interface Part {
  readonly document: Located;
  /** Where it stands in the document. */
  readonly path: Path;
  readonly value: unknown;
}

/** Checks a part of a document. What is wrong goes to `problems`, each with its place. */
export function isFine(part: Part, schema: z.ZodType, problems: Problems): boolean {
  const parsed = z.safeParse(schema, part.value);
  if (parsed.success) return true;
  tell(part, schema, parsed.error.issues, problems);
  return false;
}

type Issue = z.core.$ZodIssue;

export function tell(part: Part, schema: z.ZodType, issues: readonly Issue[], problems: Problems): void {
  for (const issue of issues) tellOne(part, schema, issue, problems);
}

function tellOne(part: Part, schema: z.ZodType, issue: Issue, problems: Problems): void {
  const { document, path, value } = part;
  const at = [...path, ...issue.path];
  const branch = issue.code === 'invalid_union' ? meantBranch(issue, valueAt(value, issue.path)) : [];
  if (branch.length > 0) {
    const within = branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
    tell(part, schema, within, problems);
    return;
  }
  if (issue.code === 'unrecognized_keys') {
    const known = knownFields(schema, issue.path, value);
    for (const name of issue.keys) {
      problems.error(document.atName([...at, name]), `${inWords([...at, name])} ${isUnknown(name, known)}`);
    }
    return;
  }
  problems.error(document.at(at), `${inWords(at)}${messageOf(issue, valueAt(value, issue.path))}`);
}

const isUnknown = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known);
  return meant === undefined
    ? `is not a field here: leave it out, or use one of ${known.join(', ')}`
    : `is not a field here: did you mean ${meant}?`;
};

/** A text names a file, or should; anything else is checked as what the file would hold. */
function meantBranch({ errors }: z.core.$ZodIssueInvalidUnion, value: unknown): Issue[] {
  return (typeof value === 'string' ? errors[0] : errors.at(-1)) ?? [];
}

function messageOf({ code, message }: Issue, value: unknown): string {
  if (value === undefined && code !== 'custom') return ' is missing: add it';
  return /^(is|must) /.test(message) ? ` ${message}` : `: ${message.replace(/^Invalid input: /, '')}`;
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[step];
  }
  return at;
}

const NAME_SHOWN_MAX = 100;

/** `cases[2].threshold`; `the file` for all of it. */
export function inWords(path: Path): string {
  if (path.length === 0) return 'the file';
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return `${index === 0 ? '' : '.'}${String(step).slice(0, NAME_SHOWN_MAX)}`;
    })
    .join('');
}
