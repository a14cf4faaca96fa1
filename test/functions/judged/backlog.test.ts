import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { OPEN_JUDGED_CASES_MAX } from '../../../shared/domain/limits.ts';
import { openCasesKey } from '../../../shared/storage/table/keys.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { makeGate } from '../runs/gate.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

/** A suite of two judged cases, in an organisation with so many open ones. */
async function gateWith(open: number) {
  const gate = await makeGate(service.baseUrl);
  for (let each = 0; each < 2; each++) {
    await gate.add({ type: 'llm_judge', config: { rubric: 'Is it good?', _provider: 'openai' } });
  }
  const setOpen = (cases: number) =>
    service.table.put({ ...openCasesKey(gate.project.org_id), open_cases: cases });
  await setOpen(open);
  const body = { project: gate.project.slug, suite: gate.suite.slug, output: 'ok', async: true };
  const send = (headers: Record<string, string> = {}) => gate.client('POST', '/v1/run', body, headers);
  const used = async () => (await gate.client('GET', '/v1/billing/usage')).body.current_usage;
  return { ...gate, setOpen, send, used };
}

test('a judged run beyond the bound of open cases is a 429 that states when to come again, and counts nothing', async () => {
  const gate = await gateWith(OPEN_JUDGED_CASES_MAX - 1);
  const refused = await gate.send({ 'idempotency-key': 'one' });
  expect(refused.status).toBe(429);
  expect(refused.body.error).toEqual({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/have 23,999 cases for judges, this run has 2, and at most 24,000/),
    details: { retry_after_seconds: 30 },
  });
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(await gate.used()).toBe(0);
  const list = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`);
  expect(list.body.data).toEqual([]);
  await gate.setOpen(OPEN_JUDGED_CASES_MAX - 2);
  expect((await gate.send({ 'idempotency-key': 'one' })).status).toBe(202);
  expect(await gate.used()).toBe(1);
});

test('the bound holds no run back that no model judges', async () => {
  const gate = await gateWith(OPEN_JUDGED_CASES_MAX);
  const plain = await makeGate(service.baseUrl, {}, gate.client);
  await plain.add({});
  expect((await plain.run('ok', { project: plain.project.slug })).status).toBe('cleared');
  expect((await gate.send()).status).toBe(429);
});

test('a run takes what was sent for judged cases, not what its suite has', async () => {
  const gate = await gateWith(OPEN_JUDGED_CASES_MAX - 2);
  await gate.add({});
  const { data: cases } = (await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  const [first, second, plain] = cases.map(({ key }: { key: string }) => ({ case: key, output: 'ok' }));
  const send = (outputs: readonly object[]) =>
    gate.client('POST', '/v1/run', {
      project: gate.project.slug,
      suite: gate.suite.slug,
      async: true,
      outputs,
    });
  for (const outputs of [[first, plain], [plain], [second]]) expect((await send(outputs)).status).toBe(202);
  expect((await send([second])).status).toBe(429);
  expect((await send([plain])).status).toBe(202);
});

test('every run fits beside none: it has fewer outputs than may be pending', () => {
  expect(OPEN_JUDGED_CASES_MAX).toBeGreaterThan(OUTPUTS_MAX);
});
