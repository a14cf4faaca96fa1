import { nestsDeeperThan } from '../compare/json.ts';
import { finishesWithin, isRangeError, messageOf } from '../execution/guard.ts';
import { clip, quote } from '../text.ts';
import type { Issue } from '../types.ts';
import { isTooManyErrors } from './ajv/errorLimit.ts';
import { type Draft, draftOf, KNOWN_DRAFTS } from './drafts.ts';
import { faultsOf } from './faults.ts';
import { interpretedDraft } from './interpreter/draft.ts';
import { type Placed, Resources } from './interpreter/resources.ts';
import { metaValidatorOf } from './metaSchemas.ts';
import type { SchemaPath } from './pointers.ts';
import { compileSchema } from './validator.ts';

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
  // Built before the clock runs.
  metaValidatorOf(draft);
  let issues: Issue[] = [];
  const finished = finishesWithin(limitMs, () => {
    issues = orRecursion(() => {
      const { schemas } = new Resources(schema, interpretedDraft(draft.version));
      for (const find of [partIssues, metaIssues]) {
        const found = find(schemas, schema, draft);
        if (found.length > 0) return found;
      }
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

function partIssues(schemas: readonly Placed[], root: Placed['schema'], draft: Draft): Issue[] {
  const issues: Issue[] = [];
  for (const { schema, path } of schemas) {
    if (issues.length >= MAX_ISSUES) break;
    for (const [keyword, message] of faultsOf(root, schema, draft))
      issues.push(issue(message, [...path, keyword]));
  }
  return issues;
}

/** Of the whole, and of what references lead to beyond the places where the meta-schema looks for schemas. */
function metaIssues(schemas: readonly Placed[], root: Placed['schema'], draft: Draft): Issue[] {
  const validator = metaValidatorOf(draft);
  for (const { schema, path, isEntry } of schemas) {
    if ((schema !== root && !isEntry) || validator(schema)) continue;
    return (validator.errors ?? []).map(({ instancePath, message }) =>
      issue(message ?? 'is not valid', [...path, ...instancePath.split('/').slice(1)]),
    );
  }
  return [];
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
