import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { type BaselineGate, makeBaselineGate } from './baselineGate.ts';

let service: EngineService;
let made: BaselineGate;
const WORDS = Array.from({ length: 100 }, (_, at) => `w${String(at).padStart(3, '0')}`);
const saying = (count: number) => WORDS.slice(0, count).join(' ');

beforeAll(async () => {
  service = await startEngineService();
  const fields = { pass_threshold: 0.5, gates: { max_newly_failing: 0 } };
  made = await makeBaselineGate(service.baseUrl, fields, { words: WORDS });
});
afterAll(() => service.stop());

/** Of a run that the function has seen before. */
async function warm(output: string) {
  await made.gate.run(output);
  return costOf(service, () => made.gate.run(output));
}

test('what an acceptance, a gated run, a comparison and a waiver of 100 cases cost', async () => {
  const { gate, accept, comparison } = made;
  const ungated = await warm(saying(95));
  const { id } = await gate.run(saying(95));
  const acceptance = await costOf(service, () => accept([id]));
  const gated = await warm(saying(95));
  const worse = await warm(saying(90));
  const run = await gate.run(saying(90));
  expect(run.comparison).toMatchObject({ newly_failing_count: 5 });
  const compared = await costOf(service, () => comparison(run.id));
  const body = { reason: 'It is wanted today.', expires_at: new Date(Date.now() + 86_400_000).toISOString() };
  const waived = await costOf(service, () => gate.client('POST', `/v1/runs/${run.id}/waiver`, body));
  const carrying = await warm(saying(90));
  expect(gated.read).toBe(ungated.read);
  expect(worse.read).toBe(ungated.read);
  // Which waivers there are, and the one that it shows.
  expect(carrying.read).toBe(ungated.read + 2);
  for (const { write } of [gated, worse, carrying]) expect(write).toBe(ungated.write);
  for (const [cost, read, write] of [
    [acceptance, 14, 10],
    [compared, 14, 0],
    [waived, 12, 9],
  ] as const) {
    expect(cost.read).toBeLessThanOrEqual(read);
    expect(cost.write).toBeLessThanOrEqual(write);
  }
});
