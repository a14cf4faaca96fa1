import { decimalOf } from '../../contracts/json/jsonText.ts';
import { findNumber } from '../../contracts/json/roundedNumbers.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { FORMATS } from './formats/formats.ts';
import type { Schema } from './interpreter/resources.ts';

/** Which rules a schema has for numbers. They decide which rounded numbers it cannot validate. */
export interface NumberTraits {
  readonly compares: boolean;
  /** Whole numbers are distinguished from fractions. */
  readonly tellsWhole: boolean;
}

const COMPARING: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
]);

export function numberTraitsOf(schemas: readonly { readonly schema: Schema }[]): NumberTraits {
  let [compares, tellsWhole] = [false, false];
  for (const { schema } of schemas) {
    for (const keyword of Object.keys(schema)) {
      compares ||= isComparing(keyword, schema[keyword]);
      tellsWhole ||= isTellingWhole(keyword, schema[keyword]);
    }
  }
  return { compares, tellsWhole };
}

function isComparing(keyword: string, value: unknown): boolean {
  if (keyword === 'const' || keyword === 'enum') return holdsNumber(value);
  if (keyword === 'format') return isNumberFormat(value);
  return COMPARING.has(keyword);
}

function isTellingWhole(keyword: string, value: unknown): boolean {
  if (keyword === 'type') return value === 'integer' || (Array.isArray(value) && value.includes('integer'));
  return keyword === 'multipleOf' || (keyword === 'format' && isNumberFormat(value));
}

function isNumberFormat(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(FORMATS, name) && FORMATS[name]?.type === 'number';
}

function holdsNumber(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNumber);
}

/** A number of the output that JSON readers round, if the schema could answer differently for the rounded one. */
export function unjudgeableNumber(subject: Subject, { compares, tellsWhole }: NumberTraits): string | null {
  const misread = compares ? subject.misreadNumber : null;
  return misread ?? (tellsWhole ? fractionReadAsWhole(subject) : null);
}

/** Kept, because many schemas need the same answer about an output. */
const fractions = new WeakMap<Subject, string | null>();

function fractionReadAsWhole(subject: Subject): string | null {
  const known = fractions.get(subject);
  if (known !== undefined) return known;
  const fraction = firstFractionReadAsWhole(subject.text) ?? null;
  fractions.set(subject, fraction);
  return fraction;
}

/** A fraction of fewer figures stays a fraction when it is read, unless it has an exponent. */
const MAY_LOSE_FRACTION = /[\d.eE+-]{16}|[eE]-/;

function firstFractionReadAsWhole(json: string): string | undefined {
  if (!MAY_LOSE_FRACTION.test(json)) return undefined;
  const isSought = (written: string) => Number.isInteger(Number(written)) && isFraction(written);
  return findNumber(json, { isSought, longerThan: 0 })?.written;
}

function isFraction(written: string): boolean {
  const [significant, exponent] = decimalOf(written).split('e');
  return significant !== '' && Number(exponent) < 0;
}
