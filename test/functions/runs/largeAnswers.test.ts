import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeScorer } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { fillSuite } from './filled.ts';
import { makeGate } from './gate.ts';

/** Of 3 kB in an answer each. */
const CASES = 2_500;

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

test('a verdict with more scores than an answer holds is not lost: the client requests it, or it comes compressed', async () => {
  const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
  const values = Array.from({ length: 10 }, (_, index) => `${index}${'例'.repeat(90)}`);
  const scorer = await makeScorer(gate.client, gate.project, { type: 'contains', config: { values } });
  await fillSuite(service.table, gate, CASES, (index) => ({
    name: `${index} ${'例'.repeat(190)}`,
    scorer_id: scorer.id,
    expected: 'something else',
  }));
  const run = (encoding: string) =>
    gate.client(
      'POST',
      '/v1/run',
      { suite: gate.suite.slug, output: 'an answer' },
      {
        'accept-encoding': encoding,
        'idempotency-key': 'once',
      },
    );

  const plain = await run('identity');
  expect(plain).toMatchObject({ status: 202, body: { status: 'pending' } });
  expect(plain.body.message).toContain(`GET /v1/runs/${plain.body.id}`);
  const stored = await gate.client('GET', `/v1/runs/${plain.body.id}`);
  expect(stored.body.data).toMatchObject({ status: 'aborted', total_cases: CASES, failed_cases: CASES });

  const compressed = await run('gzip');
  expect(compressed).toMatchObject({ status: 200, body: { id: plain.body.id, status: 'aborted' } });
  expect(compressed.body.scores).toHaveLength(CASES);
  expect(compressed.headers.get('idempotency-replayed')).toBe('true');
});
