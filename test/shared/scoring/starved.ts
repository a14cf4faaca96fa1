import { scoreSuite } from '../../../shared/scoring/score.ts';
import { compileSuite } from '../../../shared/scoring/suite.ts';
import type { SuiteCase } from '../../../shared/scoring/types.ts';

/** A process of its own, for a test that takes the processor away from it: tells its parent what became of the cases. */
const OUTPUT = JSON.stringify({ answer: `${'a'.repeat(40)}!`, note: 'lorem ipsum '.repeat(150) });
const HONEST = 900;

const caseOf = (at: number, type: 'regex' | 'json_schema', config: object): SuiteCase => ({
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

process.send?.('ready');
await new Promise((resolve) => process.once('message', resolve));
const compiled = await compileSuite({ passThreshold: 1, cases: [hostile, ...honest] });
const { results } = scoreSuite(compiled, { output: OUTPUT, input: {}, now: () => performance.now() });
process.send?.(results.map(({ passed, errored }) => ({ passed, errored })));
