import type { CheckTime } from '../kit/checkTime.ts';
import type { ConfigIssue } from '../kit/definition.ts';
import { isRangeError, messageOf } from '../kit/guard.ts';
import { nestsDeeperThan } from '../kit/json.ts';
import { clip, quote } from '../kit/text.ts';
import { isTooManyErrors } from './ajv/errorLimit.ts';
import { type Draft, draftOf, KNOWN_DRAFTS } from './drafts.ts';
import { faultsOf } from './faults.ts';
import { interpretedDraft } from './interpreter/draft.ts';
import { type Placed, Resources } from './interpreter/resources.ts';
import { metaValidatorOf } from './metaSchemas.ts';
import { Mistakes } from './mistakes/mistakes.ts';
import type { SchemaPath } from './pointers.ts';
import { compileSchema } from './validator.ts';

const SCHEMA_BYTES_MAX = 64 * 1024;
const SCHEMA_DEPTH_MAX = 32;
const ISSUES_MAX = 20;
const TOO_SLOW = 'takes too long to compile or to validate: simplify its `anyOf`, `$ref` or `pattern` parts';
const TOO_RECURSIVE = 'refers back to itself without end';

/** The faults of a schema, found when it is written: a run does not check it again. */
export function checkSchema(
  schema: Record<string, unknown>,
  limitMs: number,
  time: CheckTime,
): ConfigIssue[] {
  if (nestsDeeperThan(schema, SCHEMA_DEPTH_MAX))
    return [issue(`must not nest deeper than ${SCHEMA_DEPTH_MAX} levels`)];
  if (Buffer.byteLength(JSON.stringify(schema)) > SCHEMA_BYTES_MAX) {
    return [issue(`must not be longer than ${SCHEMA_BYTES_MAX} bytes of JSON`)];
  }
  const draft = draftOf(schema);
  if (draft === undefined) return [issue(`must be one of ${KNOWN_DRAFTS}`, ['$schema'])];
  // Built before the time limit starts.
  metaValidatorOf(draft);
  let issues: ConfigIssue[] = [];
  const finished = time.lastsFor(limitMs, () => {
    issues = orRecursion(() => {
      const { schemas } = new Resources(schema, interpretedDraft(draft.version));
      for (const find of [partIssues, metaIssues]) {
        const mistakes = find(schemas, schema, draft);
        if (mistakes.length > 0) return mistakes;
      }
      return compileIssues(schema);
    });
  });
  if (!finished) return [issue(TOO_SLOW)];
  return issues.slice(0, ISSUES_MAX);
}

function issue(message: string, path: SchemaPath = []): ConfigIssue {
  return { path: ['config', 'schema', ...path].join('.'), message: clip(message, 400).toWellFormed() };
}

function orRecursion(find: () => ConfigIssue[]): ConfigIssue[] {
  try {
    return find();
  } catch (error) {
    return [issue(isRangeError(error) ? TOO_RECURSIVE : messageOf(error))];
  }
}

function partIssues(schemas: readonly Placed[], root: Placed['schema'], draft: Draft): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const mistakes = new Mistakes(schemas, draft.version);
  for (const placed of schemas) {
    if (issues.length >= ISSUES_MAX) break;
    for (const [keyword, message] of [...faultsOf(root, placed.schema, draft), ...mistakes.of(placed)])
      issues.push(issue(message, [...placed.path, keyword]));
  }
  return issues;
}

/** Of the whole schema, and of schemas that references name in places where the meta-schema expects none. */
function metaIssues(schemas: readonly Placed[], root: Placed['schema'], draft: Draft): ConfigIssue[] {
  const validator = metaValidatorOf(draft);
  for (const { schema, path, isEntry } of schemas) {
    if ((schema !== root && !isEntry) || validator(schema)) continue;
    return (validator.errors ?? []).map(({ instancePath, message }) =>
      issue(message ?? 'is not valid', [...path, ...instancePath.split('/').slice(1)]),
    );
  }
  return [];
}

function compileIssues(schema: Record<string, unknown>): ConfigIssue[] {
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
