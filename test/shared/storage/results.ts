import fc from 'fast-check';
import type { ScoredCase } from '../../../shared/domain/runs/ports.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

/** Results of every shape that scorers may give, in any script. */
export const anyResult: fc.Arbitrary<ScoredCase> = fc.record(
  {
    case_id: fc.uuid(),
    case_name: anyText,
    passed: fc.boolean(),
    score: fc.double({ min: 0, max: 1, noNaN: true }).map((score) => score + 0),
    threshold: fc.double({ min: 0, max: 1, noNaN: true }).map((score) => score + 0),
    reason: anyText,
    scorer_output: fc.dictionary(
      fc.oneof(fc.constantFrom('actual', 'errors', 'parsed_output', 'match_groups', 'raw_response'), anyText),
      fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value))),
      { maxKeys: 5, noNullPrototype: true },
    ),
    duration_ms: fc.nat(),
  },
  { noNullPrototype: true },
);

/** A plain result; `actual` is the candidate's output. */
export const resultOf = (index: number, actual: string): ScoredCase => ({
  case_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  case_name: `Case ${index}`,
  passed: index % 2 === 0,
  score: index % 2,
  threshold: 0.5,
  reason: `output equals expected ${index}`,
  scorer_output: { expected: `expected ${index}`, actual, case_sensitive: true },
  duration_ms: 0,
});
