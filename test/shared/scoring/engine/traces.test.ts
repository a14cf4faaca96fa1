import { describe, expect, test } from '@jest/globals';
import { foldSamples } from '../../../../shared/scoring/engine/samples.ts';
import { scoreSuite } from '../../../../shared/scoring/engine/score.ts';
import type { CaseResult, SentOutput } from '../../../../shared/scoring/kit/types.ts';
import { caseOf, now, type Options, preparedSuite } from '../cases.ts';
import { traceOf } from '../trajectory/scoring.ts';

const CONFIG = { calls: [{ tool: 'lookup', min: 0 }], allow_extra: true, forbidden: ['delete_*'] };
const call = (tool: string, more: object = {}) => ({ type: 'call', tool, ...more });
const GOOD = traceOf([call('lookup')]);
const BAD = traceOf([call('lookup'), call('delete_account', { error: 'denied' })]);

function results(sent: readonly SentOutput[], options: Options = {}, config: object = CONFIG): CaseResult[] {
  const suite = preparedSuite([caseOf('trajectory', config, { threshold: 0, ...options })]);
  return scoreSuite(suite, { outputsOf: () => sent, now }).flat();
}

const only = (sent: SentOutput, options: Options = {}, config: object = CONFIG): CaseResult =>
  results([sent], options, config)[0] as CaseResult;

describe('an output without a trace is missing where its case needs one,', () => {
  test('passes at no threshold, and is no error', () => {
    expect(only({ output: 'Done.' })).toMatchObject({
      passed: false,
      errored: false,
      missing: true,
      score: 0,
      scorer_output: { missing: true, error: 'TRACE_MISSING' },
    });
    expect(only({ output: 'Done.', trace: [] })).toMatchObject({ passed: true });
  });

  test('also where the bar cannot be used', () => {
    expect(only({ output: 'Done.' }, {}, { calls: 1 })).toMatchObject({ errored: false, missing: true });
  });

  test('a sample without one has failed, and the case is missing with none', () => {
    const rule = { sampleCount: 2, samplePassRate: 0 };
    const lacking = { output: 'Done.' };
    expect(foldSamples(results([lacking, { output: '', trace: GOOD }]), rule)).toMatchObject({
      passed: true,
    });
    expect(foldSamples(results([{ output: '', trace: BAD }, lacking]), rule)).not.toHaveProperty('missing');
    expect(foldSamples(results([lacking, lacking]), rule)).toMatchObject({ passed: false, missing: true });
    expect(foldSamples(results([lacking]), rule)).toMatchObject({ passed: false, missing: true });
  });
});

describe('an answer that is not shown is missing where a scorer reads it,', () => {
  const absent: [string, object][] = [
    ['contains', { values: ['sorry'], mode: 'none' }],
    ['regex', { pattern: 'sorry', should_match: false }],
    ['exact_match', {}],
  ];
  const resultOf = (sent: SentOutput, [type, config]: [string, object]) =>
    scoreSuite(preparedSuite([caseOf(type, config, { threshold: 0, expected: '' })]), {
      outputsOf: () => [sent],
      now,
    })[0]?.[0];

  test.each(absent)('%s', (...scorer) => {
    for (const trace of [GOOD, traceOf([])]) {
      expect(resultOf({ trace }, scorer)).toMatchObject({
        passed: false,
        errored: false,
        missing: true,
        scorer_output: { missing: true, error: 'ANSWER_MISSING' },
      });
      expect(resultOf({ output: '', trace }, scorer)).toMatchObject({ passed: true });
    }
  });

  test('a judge included', () => {
    expect(resultOf({ trace: GOOD }, ['llm_judge', { rubric: 'It is polite.' }])).toMatchObject({
      errored: false,
      missing: true,
    });
  });

  test('and calls are judged without it', () => {
    expect(only({ trace: GOOD })).toMatchObject({ passed: true });
    expect(only({ trace: BAD })).toMatchObject({ passed: false, errored: false });
  });
});

describe('beside an error', () => {
  test('a forbidden call has failed the case, and more calls than allowed', () => {
    const failed = { passed: false, errored: false, score: 0 };
    expect(only({ error: '429', trace: BAD })).toMatchObject(failed);
    expect(
      only({ error: '429', trace: GOOD }, {}, { calls: [], allow_extra: true, max_calls: 0 }),
    ).toMatchObject(failed);
  });

  test('all else is the error, without a trace too', () => {
    const errored = {
      passed: false,
      errored: true,
      fault: 'candidate',
      scorer_output: { error: 'OUTPUT_ERROR' },
    };
    expect(only({ error: '429', trace: GOOD })).toMatchObject(errored);
    expect(only({ error: '429', trace: [] }, {}, { calls: [{ tool: 'a' }], min_calls: 1 })).toMatchObject(
      errored,
    );
    expect(only({ error: '429' })).toMatchObject(errored);
  });
});

test('cases of one output are judged by their own traces', () => {
  const cases = [caseOf('trajectory', CONFIG), caseOf('contains', { values: ['Done'] })];
  const sent: SentOutput[][] = [[{ output: 'Done.', trace: BAD }], [{ output: 'Done.', trace: BAD }]];
  const scored = scoreSuite(preparedSuite(cases), { outputsOf: (index) => sent[index] ?? [], now }).flat();
  expect(scored.map(({ passed }) => passed)).toEqual([false, true]);
  const other = { output: 'Done.', trace: GOOD };
  const both = scoreSuite(preparedSuite([cases[0], caseOf('trajectory', CONFIG)] as never), {
    outputsOf: (index) => [index === 0 ? other : { output: 'Done.', trace: BAD }],
    now,
  }).flat();
  expect(both.map(({ passed }) => passed)).toEqual([true, false]);
});

describe('a forbidden call never passes', () => {
  const members = { to: 'me', amount: 1 };
  const pay = (more: object) => [call('lookup'), { type: 'call', tool: 'pay', arguments: members, ...more }];
  const chat = (written: string) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'pay', arguments: written } }],
    },
  ];
  const TRACES = {
    plain: traceOf(pay({})),
    failed: traceOf(pay({ error: 'timeout' })),
    unknown: traceOf(pay({ arguments: undefined })),
    'a text': traceOf(pay({ arguments: '{"to":"me"}' })),
    nested: traceOf([{ ...call('agent'), id: 'a' }, ...pay({ parent: 'a' })]),
    malformed: traceOf(chat('{"to":"me"'), 'messages'),
    'named twice': traceOf(chat('{"to":"me","to":"you"}'), 'messages'),
    'OpenAI chat': traceOf(chat(JSON.stringify(members)), 'messages'),
    Responses: traceOf(
      [{ type: 'function_call', call_id: 'c', name: 'pay', arguments: JSON.stringify(members) }],
      'messages',
    ),
    Anthropic: traceOf([{ type: 'tool_use', id: 'c', name: 'pay', input: members }], 'messages'),
  };
  const RULES = {
    name: 'pay',
    pattern: '*a*',
    whole: { tool: 'pay', arguments: members },
    part: { tool: 'p*', arguments_include: { to: 'me' } },
    assertion: { tool: 'pay', assertions: [{ path: '$.to', op: 'equals', value: 'me' }] },
    reference: { tool: 'pay', assertions: [{ path: '$.to', op: 'equals', value: { $expected: '/to' } }] },
  };
  const BESIDE: Readonly<Record<string, object>> = {
    plain: {},
    partial: { partial: true },
    'in order': { order: 'in_order' },
    'of the top': { agents: 'top' },
    'with failed ones': { count_failed: true },
    'with what is allowed': { allow_extra: ['pay', 'lookup', 'agent'] },
  };
  const SENT: readonly ((trace: SentOutput['trace']) => SentOutput)[] = [
    (trace) => ({ output: 'Done.', trace }),
    (trace) => ({ error: '429', trace }),
  ];

  test.each(Object.entries(TRACES))('%s, by any rule, beside anything', (_, trace) => {
    for (const forbidden of Object.values(RULES)) {
      for (const beside of Object.values(BESIDE)) {
        for (const dual_sided of [false, true]) {
          const config = { calls: [], allow_extra: true, ...beside, forbidden: [forbidden] };
          for (const send of SENT) {
            const result = only(send(trace), { dual_sided, expected: { to: 'me' } }, config);
            expect(result).toMatchObject({ passed: false, score: 0, errored: false });
          }
        }
      }
    }
  });
});
