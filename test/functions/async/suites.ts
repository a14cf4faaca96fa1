type Fields = Readonly<Record<string, unknown>>;

/** A suite and outputs that meet it well, badly and in part. */
export interface SuiteUnderTest {
  readonly suite?: Fields;
  readonly cases: readonly (readonly [scorer: Fields, evalCase?: Fields])[];
  readonly outputs: readonly string[];
}

const says = (...values: string[]): Fields => ({ type: 'contains', config: { values, mode: 'all' } });
const EXACT = { type: 'exact_match', config: {} };
const matches = (pattern: string, should_match = true): Fields => ({
  type: 'regex',
  config: { pattern, flags: 'i', should_match },
});
const CAPITAL = { $expected: '/capital' };
const ANSWER = {
  type: 'object',
  properties: { answer: { type: 'string' }, sure: { type: 'boolean' } },
  required: ['answer'],
  additionalProperties: false,
};

export const SUITES: Readonly<Record<string, SuiteUnderTest>> = {
  'each deterministic scorer': {
    suite: { pass_threshold: 0.5 },
    cases: [
      [says('Paris', 'capital'), { name: 'Says both' }],
      [EXACT, { name: 'Is it', expected: '{"answer": "Paris"}' }],
      [EXACT, { name: 'Is the object', expected: { answer: 'Paris' } }],
      [matches('par(is)'), { name: 'Matches' }],
      [matches('london', false), { name: 'Does not match' }],
      [{ type: 'json_schema', config: { schema: ANSWER } }, { name: 'Is an answer' }],
      [{ type: 'json_schema', config: { schema: ANSWER, extract: 'embedded' } }, { name: 'Holds an answer' }],
      [
        { type: 'contains', config: { values: ['PARIS'], case_sensitive: false } },
        { name: 'Says it in any case' },
      ],
      [
        { type: 'json_path', config: { assertions: [{ path: '$.answer', op: 'equals', value: CAPITAL }] } },
        { name: 'Answers it', expected: { capital: 'Paris' } },
      ],
      [
        { type: 'similarity', config: { metric: 'levenshtein' } },
        { name: 'Is nearly it', expected: 'Paris is a capital' },
      ],
      [{ type: 'metric', config: { field: 'latency_ms', max: 5 } }, { name: 'Comes without figures' }],
    ],
    outputs: [
      '{"answer": "Paris"}',
      '{"answer":"Paris"}',
      'Paris is the capital',
      'London',
      '',
      '{"answer": 1}',
    ],
  },
  'weights, thresholds and an inactive case': {
    suite: { pass_threshold: 0.6 },
    cases: [
      [says('one'), { weight: 0.1 }],
      [says('two'), { weight: 0.2 }],
      [says('three'), { weight: 0.3, threshold: 1 }],
      [says('four'), { weight: 0.4, threshold: 0 }],
      [says('five'), { is_active: false, weight: 100 }],
    ],
    outputs: ['one two three', 'one two', 'three', 'nothing'],
  },
  'errors of scorers': {
    suite: { pass_threshold: 0.5 },
    cases: [[EXACT, { name: 'Nothing to compare with' }], [says('ok')], [says('fine')]],
    outputs: ['ok fine', 'ok', 'no'],
  },
  'dual-sided scorers': {
    cases: [
      [
        { ...says('red', 'green'), dual_sided: true, precision_threshold: 0.5, recall_threshold: 1 },
        { threshold: 0.6 },
      ],
      [{ ...EXACT, dual_sided: true }, { expected: 'red and green' }],
    ],
    outputs: ['red, green', 'red green blue white', 'red'],
  },
  'long outputs and unusual characters': {
    suite: { pass_threshold: 0 },
    cases: [[EXACT, { expected: '👩‍👩‍👧 \u0000 é' }], [matches('^(.{1,9000})')], [says('é')]],
    outputs: ['👩‍👩‍👧 \u0000 é', 'é'.repeat(20_000), `{"deep": ${'['.repeat(60)}${']'.repeat(60)}}`],
  },
};
