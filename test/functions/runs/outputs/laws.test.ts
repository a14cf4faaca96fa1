import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import { sharedServiceUrl } from '../../../support/api.ts';
import { sized } from '../../../support/soak.ts';
import { SUITES } from '../../async/suites.ts';
import { type Gate, makeGate, resultsOf } from '../gate.ts';
import { type Item, KEYS, type Key, makeTrust, type Trust } from './trust.ts';

type Answered = Readonly<Record<string, unknown>>;

/** What differs between any two runs, and what says how the outputs were sent. */
const judged = ({ id: _, duration_ms: __, outputs_digest: ___, ...rest }: Answered) => rest;

async function resultsIn({ client }: Pick<Gate, 'client'>, id: string) {
  const results = await resultsOf(client, id);
  return results.map(({ id: _, run_id: __, duration_ms: ___, ...result }) => result);
}

describe.each(Object.entries(SUITES))(
  'one text for all cases of a suite of %s',
  (_, { suite, cases, outputs }) => {
    let gate: Gate;
    const made: EvalCase[] = [];
    beforeAll(async () => {
      gate = await makeGate(sharedServiceUrl(), { ...suite, keep_outputs: 'all' });
      for (const [scorer, evalCase] of cases) {
        const one = await gate.add(scorer, evalCase);
        if (one.is_active) made.push(one);
      }
    });

    test('has one verdict, sent as output or as outputs', async () => {
      const texts = fc.oneof(fc.constantFrom(...outputs), fc.string({ unit: 'binary', maxLength: 60 }));
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          const one = await gate.run(text, { input: { lang: 'en' } });
          const items = made.map(({ id }) => ({ case: id, output: text }));
          const { body } = await gate.client('POST', '/v1/run', {
            suite: gate.suite.slug,
            outputs: items,
            input: { lang: 'en' },
          });
          expect(judged(body)).toEqual(judged(one));
          expect(await resultsIn(gate, body.id)).toEqual(await resultsIn(gate, one.id));
        }),
        { numRuns: 12 },
      );
    });
  },
);

type State = 'right' | 'wrong' | 'error' | 'missing';

const itemOf = (key: Key, state: State): Item[] => {
  if (state === 'missing') return [];
  return [
    { case: key, ...(state === 'error' ? { error: '429' } : { output: state === 'right' ? key : 'x' }) },
  ];
};

describe('whatever outputs are sent,', () => {
  let trust: Trust;
  beforeAll(async () => {
    trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('d', { must_pass: true });
  });
  const states = fc
    .tuple(...KEYS.map(() => fc.constantFrom<State>('right', 'wrong', 'error', 'missing')))
    .filter((all) => all.some((state) => state !== 'missing'));
  const itemsOf = (all: readonly State[]) =>
    KEYS.flatMap((key, index) => itemOf(key, all[index] ?? 'missing'));

  test('the verdict is that of the definition: errors neither pass nor fail', async () => {
    await fc.assert(
      fc.asyncProperty(states, async (all) => {
        const count = (...some: State[]) => all.filter((state) => some.includes(state)).length;
        const holds = (passed: readonly State[]) => count(...passed) / 4 >= 0.6 && passed.includes(all[3]!);
        const cleared = holds(['right']);
        expect(await trust.run(itemsOf(all))).toMatchObject({
          status: cleared ? 'cleared' : 'aborted',
          inconclusive: !cleared && holds(['right', 'error']),
          passed_cases: count('right'),
          failed_cases: count('wrong', 'error', 'missing'),

          errored_cases: count('error'),
          missing_cases: count('missing'),
          pass_rate: count('right') / 4,
        });
      }),
      { numRuns: sized(15, 40) },
    );
  });

  test('their order changes nothing, nor do outputs of unknown cases, beside being counted', async () => {
    const unknown = fc.array(
      fc.string({ minLength: 1, maxLength: 20 }).filter((name) => !KEYS.includes(name as Key)),
      {
        maxLength: 5,
      },
    );
    const shuffled = states.chain((all) => fc.tuple(fc.constant(all), unknown, fc.infiniteStream(fc.nat())));
    await fc.assert(
      fc.asyncProperty(shuffled, async ([all, names, ranks]) => {
        const items = itemsOf(all);
        const plain = await trust.run(items);
        const mixed = [...items, ...names.map((name) => ({ case: name, output: 'a' }))]
          .map((item) => ({ item, rank: ranks.next().value ?? 0 }))
          .sort((one, other) => one.rank - other.rank)
          .map(({ item }) => item);
        const { surplus, surplus_outputs, ...verdict } = await trust.run(mixed);
        expect({ ...verdict, id: '', duration_ms: 0, surplus: [], surplus_outputs: 0 }).toEqual({
          ...plain,
          id: '',
          duration_ms: 0,
        });
        expect(surplus_outputs).toBe(names.length);
        expect([...surplus].sort()).toEqual([...new Set(names)].sort());
      }),
      { numRuns: sized(10, 25) },
    );
  });

  test('one more for a case that has one is refused, and counts nothing', async () => {
    const before = await trust.counted();
    const twice = fc.tuple(
      states,
      fc.constantFrom(...KEYS),
      fc.boolean(),
      fc.constantFrom<State>('right', 'error'),
    );
    await fc.assert(
      fc.asyncProperty(twice, async ([all, key, byId, state]) => {
        const own = { ...itemOf(key, state)[0]!, ...(byId && { case: trust.cases[key].id }) };
        const has = all[KEYS.indexOf(key)] !== 'missing';
        const items = [...itemsOf(all), ...(has ? [own] : [own, own])];
        const { status, body } = await trust.send(items);
        expect([status, body.error?.details.issues[0].path]).toEqual([400, `outputs.${items.length - 1}`]);
      }),
      { numRuns: sized(10, 25) },
    );
    expect(await trust.counted()).toEqual(before);
  });

  test('no body makes the service fail', async () => {
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        '',
        '\u0000',
        '__proto__',
        'a',
        'e\u0301',
        -0,
        1e21,
        2 ** 53,
        true,
        null,
        [],
        {},
        [[]],
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const metadata = fc.dictionary(fc.constantFrom('latency_ms', 'cost_usd', 'x', '__proto__'), odd);
    const item = fc.record(
      {
        case: fc.oneof(fc.constantFrom<unknown>(...KEYS), odd),
        output: fc.oneof(fc.string({ unit: 'binary' }), odd),
        error: fc.oneof(fc.string(), odd),
        input: fc.oneof(fc.object({ maxDepth: 2, withBigInt: false }), odd),
        metadata: fc.oneof(metadata, odd),
        expected: odd,
      },
      { requiredKeys: [] },
    );
    const plain = fc.record({ case: fc.constantFrom(...KEYS), output: fc.string({ unit: 'binary' }) });
    const outputs = fc.oneof(fc.array(fc.oneof(item, plain, odd), { maxLength: 6 }), odd);
    const body = fc.record(
      { outputs, output: odd, input: odd, suite_digest: odd, async: odd },
      { requiredKeys: ['outputs'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(body, fc.record({ outputs: fc.array(plain, { maxLength: 5 }) })),
        async (fields) => {
          const { status } = await trust.send(undefined, fields);
          expect([200, 202, 400]).toContain(status);
        },
      ),
      { numRuns: sized(50, 150) },
    );
  });
});
