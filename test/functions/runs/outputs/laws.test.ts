import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import { sharedServiceUrl } from '../../../support/api.ts';
import { sized } from '../../../support/soak.ts';
import { SUITES } from '../../async/suites.ts';
import { type Gate, makeGate, resultsOf } from '../gate.ts';
import { KEYS, makeTrust, type Trust } from './trust.ts';

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

describe('whatever outputs are sent,', () => {
  let trust: Trust;
  beforeAll(async () => {
    trust = await makeTrust(sharedServiceUrl());
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
