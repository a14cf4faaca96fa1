import * as z from 'zod';
import type { Path } from '../read/parts.ts';
import { inWords, ownOf, type Part } from '../read/parts.ts';
import type { Problems } from '../read/problems.ts';
import { knownFields, whyUnknown } from './unknownFields.ts';

/** Checks a part of a document. What is wrong goes to `problems`, each with its place. */
export function isFine(part: Part, schema: z.ZodType, problems: Problems): boolean {
  const parsed = z.safeParse(schema, part.value);
  if (parsed.success) return true;
  reportIssues(part, schema, parsed.error.issues, problems);
  return false;
}

type Issue = z.core.$ZodIssue;

export function reportIssues(
  part: Part,
  schema: z.ZodType,
  issues: readonly Issue[],
  problems: Problems,
): void {
  for (const issue of issues) reportIssue(part, schema, issue, problems);
}

function reportIssue(part: Part, schema: z.ZodType, issue: Issue, problems: Problems): void {
  const { document, path, value } = part;
  const issuePath = [...path, ...issue.path];
  const branch = issue.code === 'invalid_union' ? meantBranch(issue, valueAt(value, issue.path)) : [];
  if (branch.length > 0) {
    const within = branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
    reportIssues(part, schema, within, problems);
    return;
  }
  if (issue.code === 'unrecognized_keys') {
    const known = knownFields(schema, issue.path, value);
    for (const name of issue.keys) {
      problems.error(
        document.atName([...issuePath, name]),
        `${inWords([...issuePath, name])} ${whyUnknown(name, known)}`,
      );
    }
    return;
  }
  problems.error(
    document.at(issuePath),
    `${inWords(issuePath)}${messageOf(issue, valueAt(value, issue.path))}`,
  );
}

/** A text names a file, or should; anything else is checked as what the file would hold. */
function meantBranch({ errors }: z.core.$ZodIssueInvalidUnion, value: unknown): Issue[] {
  return (typeof value === 'string' ? errors[0] : errors.at(-1)) ?? [];
}

function messageOf({ code, message }: Issue, value: unknown): string {
  if (value === undefined && code !== 'custom') return ' is missing: add it';
  return /^(is|must) /.test(message) ? ` ${message}` : `: ${message.replace(/^Invalid input: /, '')}`;
}

const valueAt = (value: unknown, path: Path): unknown => path.reduce(ownOf, value);
