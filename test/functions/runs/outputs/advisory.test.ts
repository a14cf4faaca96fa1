import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../../support/ownService.ts';
import { ALL, KEYS, makeTrust, resultsByKey, right, type Trust } from './trust.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');

let service: OwnService;
let trust: Trust;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.ms = NOW_MS;
  trust = await makeTrust(service.baseUrl);
});

const until = (ms: number) => ({
  owner: 'Ann',
  reason: 'Being rewritten for the new form',
  expires_at: timestamp(NOW_MS + ms),
});
const D_WRONG = [...right('a', 'b', 'c'), { case: 'd', output: 'x' }];

test('an advisory case is scored and shown, and counts for nothing until its advisory ends', async () => {
  await trust.patchCase('d', { advisory: until(3_000) });
  const during = await trust.run(D_WRONG);
  expect(during).toMatchObject({
    status: 'cleared',
    total_cases: 3,
    passed_cases: 3,
    failed_cases: 0,
    pass_rate: 1,
    advisory_cases: 1,
    advisory_failed_cases: 1,
    failures: [],
    notices: [
      {
        code: 'ADVISORY_EXPIRING',
        case_id: trust.cases.d.id,
        key: 'd',
        expires_at: timestamp(NOW_MS + 3_000),
      },
    ],
  });
  expect(during.scores[3]).toMatchObject({ key: 'd', advisory: true, passed: false });
  expect((await resultsByKey(trust, during.id)).d).toMatchObject({ advisory: true, passed: false, score: 0 });

  service.clock.ms = NOW_MS + 2_999;
  expect((await trust.run(D_WRONG)).total_cases).toBe(3);
  service.clock.ms = NOW_MS + 3_000;
  const after = await trust.run(D_WRONG);
  expect(after).toMatchObject({
    status: 'cleared',
    total_cases: 4,
    failed_cases: 1,
    pass_rate: 0.75,
    advisory_cases: 0,
    advisory_failed_cases: 0,
    notices: [],
    failures: [{ key: 'd', advisory: false }],
  });
  expect((await trust.client('GET', `/v1/runs/${during.id}`)).body.data.total_cases).toBe(3);
});

test('an advisory ends by the time of the run, which is never before that of the run before it', async () => {
  await trust.patchCase('d', { advisory: until(3_000) });
  // A function whose clock is ahead.
  service.clock.ms = NOW_MS + 60_000;
  await trust.run(ALL);
  service.clock.ms = NOW_MS;
  const run = await trust.run(D_WRONG);
  const { created_at } = (await trust.client('GET', `/v1/runs/${run.id}`)).body.data;
  expect(created_at).toBe(timestamp(NOW_MS + 60_000));
  expect(run).toMatchObject({ total_cases: 4, failed_cases: 1, advisory_cases: 0 });
});

test('an advisory case without an output, or with an error, holds nothing up', async () => {
  await trust.patchCase('d', { advisory: until(DAY_MS), tags: ['safety'] });
  await trust.patchSuite({ pass_threshold: 1 });
  for (const items of [right('a', 'b', 'c'), [...right('a', 'b', 'c'), { case: 'd', error: '429' }]]) {
    expect(await trust.run(items)).toMatchObject({
      status: 'cleared',
      inconclusive: false,
      missing_cases: 0,
      errored_cases: 0,
      total_cases: 3,
      advisory_cases: 1,
      advisory_failed_cases: 1,
    });
  }
  expect(await trust.run(ALL)).toMatchObject({ advisory_cases: 1, advisory_failed_cases: 0 });
  // Nor does it help: no case of the tag gates.
  await trust.patchSuite({ gates: { tags: [{ tag: 'safety', pass_threshold: 0 }] } });
  expect(await trust.run(ALL)).toMatchObject({ status: 'aborted', inconclusive: true });
});

test('its end is noticed seven days before, not earlier', async () => {
  await trust.patchCase('d', { advisory: until(30 * DAY_MS) });
  service.clock.ms = NOW_MS + 23 * DAY_MS - 1;
  expect((await trust.run(ALL)).notices).toEqual([]);
  service.clock.ms = NOW_MS + 23 * DAY_MS;
  expect((await trust.run(ALL)).notices).toMatchObject([{ code: 'ADVISORY_EXPIRING', key: 'd' }]);
});

test('an advisory that is past, too long, or of a case that must pass is refused', async () => {
  const patch = (fields: object) => trust.client('PATCH', `/v1/cases/${trust.cases.d.id}`, fields);
  expectInvalid(await patch({ advisory: until(-1) }), 'advisory.expires_at');
  expectInvalid(await patch({ advisory: until(91 * DAY_MS) }), 'advisory.expires_at');
  expectInvalid(await patch({ must_pass: true, advisory: until(DAY_MS) }), 'advisory');
});

test('a suite whose cases are all advisory is refused, and runs again once one of them gates', async () => {
  for (const key of KEYS) await trust.patchCase(key, { advisory: until(key === 'a' ? DAY_MS : 2 * DAY_MS) });
  const before = await trust.counted();
  for (const fields of [{}, { async: true }]) {
    const answer = await trust.send(ALL, fields);
    expectInvalid(answer, 'suite');
    expect(answer.body.error.details.issues[0].message).toContain('advisory');
    const single = await trust.client('POST', '/v1/run', { suite: 't', output: 'a', ...fields });
    expectInvalid(single, 'suite');
  }
  expect(await trust.counted()).toEqual(before);
  service.clock.ms = NOW_MS + DAY_MS;
  expect(await trust.run(ALL)).toMatchObject({ status: 'cleared', total_cases: 1, advisory_cases: 3 });
  const single = await trust.client('POST', '/v1/run', { suite: 't', output: 'a', async: true });
  expect(single.status).toBe(202);
});
