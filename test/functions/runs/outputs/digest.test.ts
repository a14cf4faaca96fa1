import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { makeCase } from '../../../support/builders.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { ALL, DIGEST, KEYS, makeTrust, type Trust } from './trust.ts';

let trust: Trust;
let digest: string;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
  digest = await trust.digest();
});

const LATER = new Date(Date.now() + 86_400_000).toISOString();
const advisory = (fields: object = {}) => ({
  owner: 'Ann',
  reason: 'Being rewritten',
  expires_at: LATER,
  ...fields,
});

describe('the digest of a suite', () => {
  test.each<[string, (own: Trust) => Promise<unknown>]>([
    ['the name of the suite', (own) => own.patchSuite({ name: 'Renamed', description: 'Described' })],
    ['the name of a case', (own) => own.patchCase('a', { name: 'Renamed', description: 'Described' })],
    [
      'the name of a scorer',
      (own) => own.client('PATCH', `/v1/scorers/${own.scorer.id}`, { name: 'Renamed', key: 'renamed' }),
    ],
    [
      'the order',
      (own) =>
        own.client('POST', `/v1/suites/${own.suite.id}/cases/reorder`, {
          case_ids: KEYS.toReversed().map((key) => own.cases[key].id),
        }),
    ],
    ['what is kept of outputs', (own) => own.patchSuite({ keep_outputs: 'all', show_expected: true })],
  ])('stays when %s changes', async (_, change) => {
    await change(trust);
    expect(await trust.digest()).toBe(digest);
    expect((await trust.run(ALL)).suite_digest).toBe(digest);
  });

  test.each([
    ['threshold', { threshold: 0.7 }, { threshold: 0.5 }],
    ['weight', { weight: 2 }, { weight: 1 }],
    ['expected', { expected: 'A' }, { expected: 'a' }],
    ['input', { input: { question: '?' } }, { input: {} }],
    ['tags', { tags: ['safety'] }, { tags: [] }],
    ['must_pass', { must_pass: true }, { must_pass: false }],
    ['sample_count', { sample_count: 2 }, { sample_count: 1 }],
    ['sample_pass_rate', { sample_pass_rate: 0.5 }, { sample_pass_rate: 1 }],
    ['key', { key: 'other' }, { key: 'a' }],
    ['advisory', { advisory: advisory() }, { advisory: null }],
    ['activity', { is_active: false }, { is_active: true }],
  ])('changes with the %s of a case, and comes back with it', async (_, change, undo) => {
    await trust.patchCase('a', change);
    const changed = await trust.digest();
    expect(changed).toEqual(DIGEST);
    expect(changed).not.toBe(digest);
    await trust.patchCase('a', undo);
    expect(await trust.digest()).toBe(digest);
  });

  test.each([
    ['pass_threshold', { pass_threshold: 0.7 }, { pass_threshold: 0.6 }],
    ['gates', { gates: { min_judged_cases: 1 } }, { gates: {} }],
    ['a gate of a tag', { gates: { tags: [{ tag: 'a', pass_threshold: 1 }] } }, { gates: { tags: null } }],
  ])('changes with %s, and comes back with it', async (_, change, undo) => {
    await trust.patchSuite(change);
    expect(await trust.digest()).not.toBe(digest);
    expect((await trust.run(ALL)).suite_digest).toBe(await trust.digest());
    await trust.patchSuite(undo);
    expect(await trust.digest()).toBe(digest);
  });

  test('changes with the tags of a case, but not with their order', async () => {
    await trust.patchCase('a', { tags: ['x', 'y'] });
    const tagged = await trust.digest();
    await trust.patchCase('a', { tags: ['y', 'x'] });
    expect(await trust.digest()).toBe(tagged);
    expect(tagged).not.toBe(digest);
    await trust.patchCase('a', { tags: [] });
  });

  test('changes with the config of a scorer, and comes back with it', async () => {
    const path = `/v1/scorers/${trust.scorer.id}`;
    for (const [change, undo] of [
      [
        { type: 'contains', config: { values: ['a'] } },
        { type: 'exact_match', config: {} },
      ],
      [{ dual_sided: true }, { dual_sided: false }],
    ]) {
      expect((await trust.client('PATCH', path, change)).status).toBe(200);
      expect(await trust.digest()).not.toBe(digest);
      await trust.client('PATCH', path, undo);
      expect(await trust.digest()).toBe(digest);
    }
  });

  test('changes with another case, and comes back without it', async () => {
    const { id } = await makeCase(trust.client, trust.suite, trust.scorer, { expected: 'e' });
    expect(await trust.digest()).not.toBe(digest);
    await trust.client('DELETE', `/v1/cases/${id}`);
    expect(await trust.digest()).toBe(digest);
  });

  test('stays when an advisory gets another owner or reason, and changes with its end', async () => {
    await trust.patchCase('b', { advisory: advisory() });
    const during = await trust.digest();
    await trust.patchCase('b', { advisory: advisory({ owner: 'Ben', reason: 'Another reason' }) });
    expect(await trust.digest()).toBe(during);
    const expires_at = new Date(Date.parse(LATER) + 1).toISOString();
    await trust.patchCase('b', { advisory: advisory({ expires_at }) });
    expect(await trust.digest()).not.toBe(during);
    await trust.patchCase('b', { advisory: null });
    expect(await trust.digest()).toBe(digest);
  });
});

describe('a run that names the suite that it means', () => {
  test('is refused once the suite is another, naming the present one: nothing is stored or counted', async () => {
    const former = await trust.digest();
    await trust.patchSuite({ pass_threshold: 0.5 });
    const present = await trust.digest();
    const before = await trust.counted();
    for (const fields of [{}, { async: true }]) {
      for (const sent of [{ outputs: ALL }, { output: 'a' }]) {
        const answer = await trust.send(undefined, { ...sent, suite_digest: former, ...fields });
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 409,
          body: {
            error: {
              code: 'SUITE_CHANGED',
              message: expect.any(String),
              details: { suite_digest: present },
            },
          },
        });
      }
    }
    expect(await trust.counted()).toEqual(before);
    for (const sent of [{ outputs: ALL }, { output: 'a' }]) {
      expect(await trust.send(undefined, { ...sent, suite_digest: present })).toMatchObject({
        status: 200,
        body: { suite_digest: present, pass_threshold: 0.5 },
      });
    }
    await trust.patchSuite({ pass_threshold: 0.6 });
  });

  test.each([
    ['no prefix', 'f'.repeat(64)],
    ['upper case', `sha256:${'F'.repeat(64)}`],
    ['63 digits', `sha256:${'f'.repeat(63)}`],
    ['a number', 5],
    ['null', null],
  ])('is refused when it names it in another form: %s', async (_, suite_digest) => {
    expectInvalid(await trust.send(ALL, { suite_digest }), 'suite_digest');
  });
});
