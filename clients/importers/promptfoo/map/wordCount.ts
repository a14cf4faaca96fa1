import { isRecord } from '../read/values.ts';
import { matching } from './texts.ts';
import type { Mapping } from './types.ts';

const COUNT_MAX = 20_000;

/** `50`, or `{min: 20, max: 50}` with one of them or both. */
export const wordCount: Mapping = ({ value, isNegated }) => {
  const [min, max] = limitsOf(value);
  const [least, most] = [countOf(min), max === '' ? Number.POSITIVE_INFINITY : countOf(max)];
  if (least === undefined || most === undefined) return { why: 'has no number of words that is whole' };
  if (least === 0 && max === '') return { why: 'allows any number of words' };
  if (least > most) return { why: 'asks for more words than it allows' };
  const range = least === most ? `${least}` : `${least},${max === '' ? '' : most}`;
  return matching(`^\\s*(?:\\S+(?:\\s+|$)){${range}}$`, '', !isNegated);
};

function limitsOf(value: unknown): readonly [unknown, unknown] {
  if (isRecord(value)) return [value.min ?? 0, value.max ?? ''];
  const exact = countOf(value);
  return [exact, exact];
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= COUNT_MAX;
  return isCount ? count : undefined;
}
