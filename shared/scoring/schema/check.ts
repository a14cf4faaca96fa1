import { finishesWithin, isRangeError, messageOf } from '../guard.ts';
import { nestsDeeperThan } from '../json.ts';
import { clip, quote } from '../text.ts';
import type { Issue } from '../types.ts';
import { type Draft, draftOf, KNOWN_DRAFTS } from './drafts.ts';
import { isTooManyErrors } from './errorLimit.ts';
import { faultsOf } from './faults.ts';
import { metaValidatorOf } from './metaSchemas.ts';
import { compileSchema } from './validator.ts';
import { type SchemaPath, walkSchema } from './walk.ts';

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 32;
const MAX_ISSUES = 20;
const TOO_SLOW = 'takes too long to compile or to validate: simplify its `anyOf`, `$ref` or `pattern` parts';
const TOO_RECURSIVE = 'refers back to itself without end';

/** What is wrong with a schema, found when it is written; nothing of it has to be checked again in a run. */
export function checkSchema(schema: Record<string, unknown>, limitMs: number): Issue[] {
  if (nestsDeeperThan(schema, MAX_SCHEMA_DEPTH))
    return [issue(`must not nest deeper than ${MAX_SCHEMA_DEPTH} levels`)];
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) {
    return [issue(`must not be longer than ${MAX_SCHEMA_BYTES} bytes of JSON`)];
  }
  const draft = draftOf(schema);
  if (draft === undefined) return [issue(`must be one of ${KNOWN_DRAFTS}`, ['$schema'])];
  const metaValidator = metaValidatorOf(draft);
  let issues: Issue[] = [];
  const finished = finishesWithin(limitMs, () => {
    issues = orRecursion(() => {
      const found = partIssues(schema, draft);
      if (found.length > 0) return found;
      if (!metaValidator(schema)) return metaIssues(metaValidator.errors ?? []);
      return compileIssues(schema);
    });
  });
  if (!finished) return [issue(TOO_SLOW)];
  return issues.slice(0, MAX_ISSUES);
}

function issue(message: string, path: SchemaPath = []): Issue {
  return { path: ['config', 'schema', ...path].join('.'), message: clip(message, 400).toWellFormed() };
}

function orRecursion(find: () => Issue[]): Issue[] {
  try {
    return find();
  } catch (error) {
    return [issue(isRangeError(error) ? TOO_RECURSIVE : messageOf(error))];
  }
}

function partIssues(root: Record<string, unknown>, draft: Draft): Issue[] {
  const issues: Issue[] = [];
  walkSchema(root, (schema, path) => {
    if (issues.length >= MAX_ISSUES) return;
    for (const [keyword, message] of faultsOf(root, schema, draft))
      issues.push(issue(message, [...path, keyword]));
  });
  return issues;
}

function metaIssues(errors: readonly { instancePath: string; message?: string }[]): Issue[] {
  return errors.map(({ instancePath, message }) =>
    issue(message ?? 'is not valid', instancePath.split('/').slice(1)),
  );
}

function compileIssues(schema: Record<string, unknown>): Issue[] {
  try {
    const { validate } = compileSchema(schema);
    // A cycle of references shows only when something is validated.
    for (const sample of [null, {}, [], '', 0, true]) validate(sample);
    return [];
  } catch (error) {
    if (isRangeError(error)) return [issue(TOO_RECURSIVE)];
    if (isTooManyErrors(error)) return [issue(TOO_SLOW)];
    if (typeof error === 'object' && error !== null && 'missingRef' in error) {
      return [
        issue(
          `only references within the schema are resolved, and ${quote(String(error.missingRef))} is not one`,
        ),
      ];
    }
    return [issue(messageOf(error))];
  }
}
