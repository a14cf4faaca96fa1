import { hash } from 'node:crypto';
import fc from 'fast-check';
import { faultSchema } from '../../../shared/contracts/gates.ts';
import type { ScoredCase } from '../../../shared/domain/runs/ports.ts';

type DocumentField =
  | 'case_id'
  | 'case_name'
  | 'passed'
  | 'score'
  | 'threshold'
  | 'reason'
  | 'scorer_output'
  | 'duration_ms';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const anyShare = fc.double({ min: 0, max: 1, noNaN: true }).map((score) => score + 0);
const anyDigest = fc.stringMatching(/^[0-9a-f]{16}$/);
const anyObject = fc.dictionary(
  fc.oneof(
    fc.constantFrom('error', 'actual', 'errors', 'parsed_output', 'match_groups', 'raw_response'),
    anyText,
  ),
  fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value))),
  { maxKeys: 5, noNullPrototype: true },
);

/** What scorers may give, in any script. */
const anyOutcome = { passed: fc.boolean(), score: anyShare, reason: anyText, scorer_output: anyObject };

/** Results of every shape that scorers may give, with no more than the document's fields, as they once were. */
const anyDocumentFields: fc.Arbitrary<Pick<ScoredCase, DocumentField>> = fc.record(
  {
    case_id: fc.uuid(),
    case_name: anyText,
    threshold: anyShare,
    duration_ms: fc.nat(),
    ...anyOutcome,
  },
  { noNullPrototype: true },
);

const anyDetails = fc.record({
  key: anyText,
  errored: fc.boolean(),
  missing: fc.boolean(),
  advisory: fc.boolean(),
  must_pass: fc.boolean(),
  weight: fc.option(fc.double({ min: 0, max: 1_000_000, noNaN: true }).map((weight) => weight + 0)),
  tags: fc.array(anyText, { maxLength: 3 }),
  output_digest: fc.option(anyDigest),
  metadata: fc.option(anyObject),
});

const anySample = fc.record(
  { ...anyOutcome, output_digest: anyDigest, metadata: fc.option(anyObject) },
  { noNullPrototype: true },
);
const anyExcerpt = anyText;

const anyOptional = fc.record(
  {
    fault: fc.constantFrom(...faultSchema.options),
    samples: fc.array(anySample, { maxLength: 3 }),
    output_excerpt: anyExcerpt,
    expected_excerpt: anyExcerpt,
    input_excerpt: anyExcerpt,
    cut: fc.constant(true as const),
    excerpts_cut: fc.constant(true as const),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** The same with all that a result may say, with any of the fields that it may lack. */
export const anyResult: fc.Arbitrary<ScoredCase> = fc
  .tuple(anyDocumentFields, anyDetails, fc.oneof(fc.constant({}), anyOptional))
  .map(([result, details, optional]) => ({ ...result, ...details, ...optional }));

const OUTPUT_DIGEST_DIGITS = 16;

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
  key: `case-${index}`,
  errored: false,
  missing: false,
  advisory: false,
  must_pass: false,
  weight: 1,
  tags: [],
  output_digest: hash('sha256', actual).slice(0, OUTPUT_DIGEST_DIGITS),
  metadata: null,
});
