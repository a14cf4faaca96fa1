import { describe, expect, test } from '@jest/globals';
import { scoreSuite } from '../../../../shared/scoring/engine/score.ts';
import type { CaseResult } from '../../../../shared/scoring/kit/types.ts';
import { traceExcerpt } from '../../../../shared/scoring/trace/excerpt.ts';
import { isNamed } from '../../../../shared/scoring/trajectory/glob.ts';
import { caseOf, now, preparedSuite } from '../cases.ts';
import { outcomeOf, traceOf } from './scoring.ts';

const NAMES = [
  `${'\u0000\u001b[31m'.repeat(40)}`,
  '\u202eeteled',
  '__proto__',
  'constructor',
  '](http://evil)<script>|`*',
  '👍'.repeat(128),
  'a'.repeat(256),
];
const call = (tool: string, more: object = {}) => ({ type: 'call', tool, ...more });

describe('a hostile name of a tool', () => {
  test.each(NAMES)('%j is seen and quoted, wanted, surplus or forbidden', (tool) => {
    const trace = traceOf([call(tool), call(tool, { arguments: JSON.parse('{"__proto__": {"a": 1}}') })]);
    const wanted = { calls: [{ tool, min: 2 }] };
    if (!tool.includes('*')) expect(outcomeOf(wanted, trace).score).toBe(1);
    const [forbidden, surplus] = [{ calls: [], forbidden: ['*'] }, { calls: [] }].map((config) =>
      outcomeOf(config, trace),
    );
    for (const { reason, output } of [forbidden!, surplus!]) {
      expect(reason.length).toBeLessThanOrEqual(500);
      expect(reason).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
      expect(JSON.stringify(output).length).toBeLessThan(10_000);
    }
    expect(traceExcerpt(trace)).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  });
});

test('members named like those of a prototype are compared as what they are', () => {
  const trace = traceOf([call('a', { arguments: JSON.parse('{"__proto__": 1}') })]);
  const wants = (members: string) => ({ calls: [{ tool: 'a', arguments_include: JSON.parse(members) }] });
  expect(outcomeOf(wants('{"__proto__": 1}'), trace).score).toBe(1);
  expect(outcomeOf(wants('{"__proto__": 2}'), trace).score).toBe(0);
  expect(outcomeOf(wants('{"toString": 1}'), trace).score).toBe(0);
});

test('numbers beyond 2^53 equal nothing, in a text and as they are', () => {
  const chat = [
    {
      role: 'assistant',
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'a', arguments: '{"n":9007199254740993}' } },
      ],
    },
  ];
  const expected = [{ tool: 'a', arguments: { n: 9007199254740992 } }];
  expect(outcomeOf({}, traceOf(chat, 'messages'), { expected }).score).toBe(0);
  expect(outcomeOf({ calls: [{ tool: 'a' }] }, traceOf(chat, 'messages')).score).toBe(1);
});

test('a pattern of 60 stars is matched at once, right at its ends', () => {
  const stars = `${'a*'.repeat(60)}b`;
  expect(isNamed(stars, 'a'.repeat(256))).toBe(false);
  expect(isNamed(stars, `${'a'.repeat(255)}b`)).toBe(true);
  expect(isNamed('ab*ba', 'aba')).toBe(false);
  expect(isNamed('*', '')).toBe(true);
  expect(isNamed('delete_*', 'undelete_x')).toBe(false);
});

/** As the service scores: under the deadlines of a run. */
function judged(config: object, sent: readonly object[]): CaseResult {
  const suite = preparedSuite([caseOf('trajectory', config)]);
  const output = { output: '', trace: traceOf(sent) };
  return scoreSuite(suite, { outputsOf: () => [output], now })[0]?.[0] as CaseResult;
}

/** The least of three: what a busy machine adds to the processor time of a thread is no time of the work. */
function judgedUndisturbed(config: object, sent: readonly object[]): CaseResult {
  for (let tries = 1; ; tries++) {
    const result = judged(config, sent);
    if (!result.errored || tries === 3) return result;
  }
}

describe('a trace that costs time ends in a verdict:', () => {
  const many = Array.from({ length: 1_000 }, (_, at) =>
    call('t', { arguments: { a: at % 7, b: at % 5, c: at % 3 } }),
  );
  const overlapping = Array.from({ length: 100 }, (_, at) => ({
    tool: 't',
    min: 10,
    max: 10,
    arguments_include: { [['a', 'b', 'c'][at % 3] ?? 'a']: at % 3 },
  }));
  const groups = Array.from({ length: 12 }, (_, at) =>
    overlapping.slice(at * 8, at * 8 + 8).map(({ min: _min, max: _max, ...wanted }) => wanted),
  );
  const large = { list: Array.from({ length: 3_000 }, (_, at) => at % 10) };
  const paths = Array.from({ length: 5 }, () => ({ path: '$..list[?@ > 100]', op: 'absent' }));
  test.each<[string, object, readonly object[]]>([
    ['many calls and expected ones, in any order', { calls: overlapping }, many],
    ['many calls and expected ones, in order', { order: 'in_order', calls: overlapping }, many],
    ['many calls and groups', { order: 'in_order', calls: groups }, many],
    [
      'many rules of forbidden',
      { calls: [], allow_extra: true, forbidden: overlapping.map((_, at) => `${'a*'.repeat(60)}${at}`) },
      many,
    ],
    [
      'all calls at once',
      { order: 'in_order', calls: overlapping },
      many.map((one) => ({ ...one, step: 1 })),
    ],
    ['large arguments', { calls: [{ tool: 't', assertions: paths }] }, [call('t', { arguments: large })]],
  ])('%s', (_, config, sent) => {
    expect(judgedUndisturbed(config, sent)).toMatchObject({ errored: false });
  });

  test('or, of wide limits in order, in an error that passes nothing', () => {
    const wide = overlapping.map(() => ({ tool: 't', min: 10, max: 1_000 }));
    const { passed, errored, scorer_output } = judged({ order: 'in_order', calls: wide }, many);
    expect(passed).toBe(!errored);
    expect(scorer_output.error).toBe(errored ? 'TRAJECTORY_TIMEOUT' : undefined);
  });
});
