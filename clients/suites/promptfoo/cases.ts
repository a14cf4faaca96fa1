import { caseEntrySchema } from '../check/fileSchemas.ts';
import { inWords } from '../read/parts.ts';
import { escapedReference } from '../resolve/references.ts';
import { nameOf } from './keys.ts';
import type { Mapped } from './map/types.ts';
import type { Opened } from './read/findings.ts';
import type { Merged } from './read/merge.ts';
import type { AssertionField } from './read/places.ts';
import { type Fields, wordsOf } from './read/values.ts';
import type { ScorerEntry } from './scorers.ts';

/** A test with one set of its variables. */
export interface OneTest {
  readonly test: Merged;
  readonly vars: Fields;
  readonly key: string;
  readonly input: Fields;
}

export type CaseEntry = Fields & { readonly key: string; readonly scorer: string };

interface Made {
  /** Of the assertion in its test, from 1. */
  readonly number: number;
  readonly found: Exclude<Mapped, { readonly why: string }>;
  readonly scorer: ScorerEntry;
}

export const ALWAYS_PASSES = 'it always passes there (weight 0 or metricOnly), and is inactive here';

/** The case of an assertion. */
export function caseOf(
  fields: Opened<AssertionField>,
  { test, key, input }: OneTest,
  { number, found, scorer }: Made,
): CaseEntry {
  const weight = fields.value('weight');
  const isIdle = weight === 0 || fields.value('metricOnly') === true;
  const { expected, threshold } = found;
  return {
    key: `${key}-${number}`,
    name: nameOf(
      `${test.description ?? key} / ${wordsOf(fields.value('metric')) ?? String(fields.value('type'))}`,
    ),
    scorer: scorer.key,
    input,
    ...(expected === undefined ? {} : { expected: written(expected) }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(isIdle ? { is_active: false } : {}),
    ...(isIdle || typeof weight !== 'number' || weight === 1 ? {} : { weight }),
  };
}

const written = (expected: unknown): unknown =>
  typeof expected === 'string' ? escapedReference(expected) : expected;

/** Why the service would not take it, where it would not. */
export function whyNoCase(entry: CaseEntry): string | undefined {
  const { success, error } = caseEntrySchema.safeParse(entry);
  return success ? undefined : error.issues.map(({ path, message }) => `${inWords(path)}: ${message}`)[0];
}
