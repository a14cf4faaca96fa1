import { prepareSuite } from '../../../../shared/scoring/engine/suite.ts';
import type { SuiteCase } from '../../../../shared/scoring/kit/types.ts';
import { scoreText } from '../cases.ts';

/** A process of its own, for a test that takes the processor away from it: reports to its parent what became of the cases. */
const OUTPUT = JSON.stringify({ answer: `${'a'.repeat(40)}!`, note: 'lorem ipsum '.repeat(150) });
const HONEST = 900;

const caseOf = (at: number, type: 'regex' | 'json_schema' | 'exact_match', config: object): SuiteCase => ({
  id: `case-${at}`,
  name: `case ${at}`,
  expected: '',
  threshold: 0.5,
  weight: 1,
  scorer: {
    id: `scorer-${at}`,
    type,
    config,
    dual_sided: false,
    precision_threshold: null,
    recall_threshold: null,
  },
});

const schemaOf = (at: number): object => ({
  type: 'object',
  required: ['answer', 'note'],
  properties: { answer: { type: 'string', maxLength: 100 + at }, note: { type: 'string' } },
});
const honest = Array.from({ length: HONEST }, (_, at) =>
  at % 2 === 0
    ? caseOf(at, 'regex', { pattern: `ipsum|never-${at}` })
    : caseOf(at, 'json_schema', { schema: schemaOf(at) }),
);
const hostile = caseOf(HONEST, 'regex', { pattern: '(a+)+$' });

/** All of them share the words of the output, which takes long to find: 1 MB. */
const WORDS = `${'the "cat", '.repeat(90_000)} w0`;
const words = (at: number): SuiteCase => {
  const evalCase = caseOf(at, 'exact_match', {});
  const scorer = { ...evalCase.scorer, dual_sided: true, recall_threshold: 1 };
  return { ...evalCase, expected: 'the w0', threshold: 0, scorer } as SuiteCase;
};

process.send?.('ready');
await new Promise((resolve) => process.once('message', resolve));
const compiled = await prepareSuite({ passThreshold: 1, cases: [hostile, ...honest] });
const { results: short } = scoreText(compiled, { output: OUTPUT, now: () => performance.now() });
const long = await prepareSuite({
  passThreshold: 1,
  cases: Array.from({ length: 400 }, (_, at) => words(at)),
});
const results = [...short, ...scoreText(long, { output: WORDS, now: () => performance.now() }).results];
process.send?.(results.map(({ passed, errored }) => ({ passed, errored })));
