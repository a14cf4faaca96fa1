import { caseOf } from './cases.ts';

type Schema = Record<string, unknown>;

/** Validating it takes 2 ** levels steps. */
export function doublingRefs(levels: number): Schema {
  const $defs: Schema = { l0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const below = { $ref: `#/$defs/l${level - 1}` };
    $defs[`l${level}`] = { allOf: [below, below] };
  }
  return { $ref: `#/$defs/l${levels}`, $defs };
}

/** A value that fits nowhere makes 2 ** levels errors. */
export function doublingAnyOf(levels: number): Schema {
  const $defs: Schema = { l0: { type: 'string', const: 'never' } };
  for (let level = 1; level <= levels; level++) {
    const below = { $ref: `#/$defs/l${level - 1}` };
    $defs[`l${level}`] = { anyOf: [below, below] };
  }
  return { $ref: `#/$defs/l${levels}`, $defs };
}

export function nested(levels: number): Schema {
  let schema: Schema = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { not: schema };
  return schema;
}

/** What becomes of a scorer that does not end. */
export const timeout = (code: string) => ({
  passed: false,
  score: 0,
  errored: true,
  scorer_output: { error: code },
});

export const bomb = (schema: unknown) => caseOf('json_schema', { schema }, { threshold: 0 });

/** An output on which the patterns that never end do not. */
export const ENDLESS = JSON.stringify(`${'a'.repeat(40)}!`);

/** Neighbours of hostile scorers. */
export const innocents = () => [
  caseOf('regex', { pattern: '(a+)' }),
  caseOf('contains', { values: ['aaa'] }),
  caseOf('json_schema', { schema: { type: 'string' } }),
  caseOf('exact_match', {}, { expected: 'nope' }),
  caseOf('regex', { pattern: '^b' }),
];
