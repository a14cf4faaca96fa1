import type * as z from 'zod';
import { newCaseSchema } from '../../../shared/contracts/cases.ts';
import { caseEntrySchema } from '../check/fileSchemas.ts';
import { isFine, reportIssues } from '../check/issues.ts';
import { inWords, type Part } from '../read/parts.ts';
import type { Problems } from '../read/problems.ts';
import type { SuiteParts } from './loadFiles.ts';
import { isReference, type References } from './references.ts';
import type { DefinedScorers } from './scorers.ts';

const bodySchema = newCaseSchema.omit({ scorer_id: true, key: true });

/** A case as the service would have it, but for its scorer, which is named by its key. */
export type CaseFields = z.output<typeof bodySchema> & {
  readonly key: string;
  readonly scorer: string;
};

interface Reading {
  readonly references: References;
  readonly scorers: DefinedScorers;
  /** Of the scorers that the suite may use. */
  readonly usable: ReadonlySet<string>;
  readonly problems: Problems;
  readonly nowMs: number;
}

/** The cases of a suite in their order, those that are wrong left out. */
export function definedCases({ cases, defaults }: SuiteParts, reading: Reading): CaseFields[] {
  const { references, problems } = reading;
  const places = new Map<string, string>();
  const defined: CaseFields[] = [];
  for (const part of cases.flatMap((one) => partsOf(one, references))) {
    const fields = definedCase(part, defaults, reading);
    if (fields === undefined) continue;
    const { file, line, column } = part.document.at([...part.path, 'key']);
    const first = places.get(fields.key);
    if (first === undefined) places.set(fields.key, `${file}:${line}:${column}`);
    else {
      problems.error(
        { file, line, column },
        `the case "${fields.key}" is at ${first} already: give one another key`,
      );
    }
    defined.push(fields);
  }
  return defined;
}

/** A part that names a file: those that the file holds. */
export const partsOf = (part: Part, references: References): Part[] =>
  isReference(part.value) ? references.cases({ ...part, value: part.value }) : [part];

type Entry = { readonly key: string; readonly scorer?: string } & Readonly<Record<string, unknown>>;

function definedCase(part: Part, defaults: SuiteParts['defaults'], reading: Reading): CaseFields | undefined {
  const { problems } = reading;
  if (!isFine(part, caseEntrySchema, problems)) return undefined;
  const entry = part.value as Entry;
  const { scorer, ...caseFields } = { ...defaults, ...entry };
  const documents = resolved(part, entry, reading.references);
  const { key: _, ...fieldsSent } = caseFields;
  const sent = { name: entry.key, ...fieldsSent, ...documents };
  const isKnown = isScorerKnown(part, scorer, reading);
  if (documents === undefined || !isKnown || scorer === undefined) return undefined;
  const parsed = bodySchema.safeParse(sent);
  if (!parsed.success) {
    reportIssues({ ...part, value: sent }, bodySchema, parsed.error.issues, problems);
    return undefined;
  }
  const fields = { ...parsed.data, key: entry.key, scorer };
  return areRulesFine(part, fields, reading) ? withTime(fields) : undefined;
}

/** `input` and `expected` with what their files say. Undefined where a file says nothing. */
function resolved(part: Part, entry: Entry, references: References): Record<string, unknown> | undefined {
  const documents: Record<string, unknown> = {};
  for (const field of ['input', 'expected']) {
    if (!Object.hasOwn(entry, field)) continue;
    const fieldPart = { ...part, path: [...part.path, field], value: entry[field] };
    documents[field] = references.document(fieldPart, { isText: field === 'expected' });
    if (documents[field] === undefined) return undefined;
  }
  return documents;
}

function isScorerKnown({ document, path }: Part, key: string | undefined, reading: Reading): boolean {
  const { scorers, usable, problems } = reading;
  if (key !== undefined && usable.has(key)) return true;
  const scorerPath = [...path, 'scorer'];
  if (key === undefined)
    problems.error(document.at(path), `${inWords(scorerPath)} is missing: name a scorer by its key`);
  else {
    const other = scorers.get(key)?.part.document.at([]).file;
    const where =
      other === undefined
        ? 'under `scorers`'
        : `in the file of shared scorers, since ${other} is another suite's`;
    problems.error(
      document.at(scorerPath),
      `${inWords(scorerPath)} names no scorer: write "${key}" ${where}`,
    );
  }
  return false;
}

const ADVISORY_MS_MAX = 90 * 24 * 60 * 60 * 1_000;

function areRulesFine(
  { document, path }: Part,
  { key, must_pass, advisory }: CaseFields,
  { problems, nowMs }: Reading,
) {
  if (advisory === null) return true;
  const advisoryPath = [...path, 'advisory'];
  const until = [...advisoryPath, 'expires_at'];
  const expiresMs = Date.parse(advisory.expires_at);
  if (must_pass)
    problems.error(
      document.at(advisoryPath),
      `${inWords(advisoryPath)} cannot be set beside must_pass: leave one out`,
    );
  if (expiresMs > nowMs + ADVISORY_MS_MAX) {
    problems.error(document.at(until), `${inWords(until)} is too late: at most 90 days ahead`);
    return false;
  }
  if (expiresMs <= nowMs) {
    problems.warn(document.at(until), `${inWords(until)} has passed: the case "${key}" gates again`);
  }
  return !must_pass;
}

const withTime = (fields: CaseFields): CaseFields =>
  fields.advisory === null
    ? fields
    : {
        ...fields,
        advisory: { ...fields.advisory, expires_at: new Date(fields.advisory.expires_at).toISOString() },
      };
