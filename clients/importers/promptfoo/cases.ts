import { escapedReference } from '../../files/resolve/references.ts';
import { nameOf } from '../imports/keys.ts';
import type { CaseEntry } from '../imports/types.ts';
import type { Mapped } from './map/types.ts';
import type { Opened } from './read/findings.ts';
import type { Merged } from './read/merge.ts';
import type { AssertionField } from './read/places.ts';
import { type Fields, wordsOf } from './read/values.ts';

/** A test with one set of its variables. */
export interface OneTest {
  readonly test: Merged;
  readonly vars: Fields;
  /** What names of cases begin with: its description, else its first variable. */
  readonly name: string;
  readonly key: string;
  readonly input: Fields;
}

interface Made {
  readonly key: string;
  readonly found: Exclude<Mapped, { readonly why: string }>;
  readonly scorer: string;
}

/** The case of an assertion. */
export function caseOf(
  fields: Opened<AssertionField>,
  { name, input }: OneTest,
  { key, found: mapping, scorer }: Made,
): CaseEntry {
  const weight = fields.value('weight');
  const isIdle = weight === 0 || fields.value('metricOnly') === true;
  const { expected, threshold } = mapping;
  return {
    key,
    name: nameOf(`${name} / ${wordsOf(fields.value('metric')) ?? String(fields.value('type'))}`),
    scorer,
    input,
    ...(expected === undefined ? {} : { expected: written(expected) }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(isIdle ? { is_active: false } : {}),
    ...(isIdle || typeof weight !== 'number' || weight === 1 ? {} : { weight }),
  };
}

const written = (expected: unknown): unknown =>
  typeof expected === 'string' ? escapedReference(expected) : expected;
