import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fillSuite } from '../../../functions/runs/filled.ts';
import { makeGate } from '../../../functions/runs/gate.ts';
import { handleApart } from '../../../support/evaluatorApart.ts';
import { type EngineService, startEngineService } from '../../../support/ownService.ts';

/** In megabytes: less than the function of 256 MB has, and less than twice what is sent. */
const SMALL_HEAP = 56;
/** For what one case takes, which is held at once: half of what the function has. */
const HALF_OF_HEAP = 115;

let service: EngineService;
beforeAll(async () => {
  service = await startEngineService();
});
afterAll(() => service.stop());

test.each([
  { cases: 100, samples: 100, characters: 3_100, heap: SMALL_HEAP },
  { cases: 300, samples: 1, characters: 100_000, heap: SMALL_HEAP },
  { cases: 1, samples: 100, characters: 300_000, heap: HALF_OF_HEAP },
])('an evaluator of a small heap ends a run: %o', async ({ cases, samples, characters, heap }) => {
  const gate = await makeGate(service.baseUrl);
  // Its results quote what was sent.
  const scorer = { type: 'exact_match', config: {} };
  const { scorer_id } = await gate.add(scorer, { is_active: false });
  const ids = await fillSuite(service.table, gate, cases, (index) => ({
    name: `Case ${index}`,
    scorer_id,
    expected: 'other',
    sample_count: samples,
  }));
  const outputs = ids.flatMap((id, index) =>
    Array.from({ length: samples }, (_, sample) => ({
      case: id,
      output: `yes ${index} ${sample} ${'x'.repeat(characters)}`,
    })),
  );
  const body = gzipSync(JSON.stringify({ suite: gate.suite.slug, outputs, async: true }));
  const answer = await gate.client('POST', '/v1/run', body, { 'content-encoding': 'gzip' });
  expect(answer.status).toBe(202);
  const { id: run_id } = answer.body;
  const message = { kind: 'plan', org_id: gate.project.org_id, run_id } as const;
  await handleApart(service.endpoint, message, heap);
  const { data } = (await gate.client('GET', `/v1/runs/${run_id}`)).body;
  expect(data).toMatchObject({ status: 'aborted', inconclusive: false, failed_cases: cases });
});
