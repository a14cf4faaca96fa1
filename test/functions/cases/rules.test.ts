import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, timestamp } from '../../../shared/domain/time.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { expectData, expectInvalid } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { fillSuite } from '../runs/filled.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');

let service: OwnService;
let gate: Gate;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [scorer, evalCase]: any[] = [];
beforeAll(async () => {
  service = await startOwnService();
  service.clock.ms = NOW_MS;
  gate = await makeGate(service.baseUrl);
  scorer = await makeScorer(gate.client, gate.project);
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.ms = NOW_MS;
  evalCase = await makeCase(gate.client, gate.suite, scorer);
});

const create = (fields: object) =>
  gate.client('POST', `/v1/suites/${gate.suite.id}/cases`, {
    name: 'A case',
    input: {},
    scorer_id: scorer.id,
    ...fields,
  });
const patch = (body: unknown) => gate.client('PATCH', `/v1/cases/${evalCase.id}`, body);
const current = async () => (await gate.client('GET', `/v1/cases/${evalCase.id}`)).body.data;
const advisoryUntil = (expires_at: unknown) => ({
  owner: 'Ann',
  reason: 'The judge is being changed',
  expires_at,
});
const later = (ms: number) => timestamp(NOW_MS + ms);

const TAGS_20 = Array.from({ length: 20 }, (_, index) => `t${index}`);
const OWNERS = { reason: 'The judge is being changed', expires_at: later(DAY_MS) };
const REASONS = { owner: 'Ann', expires_at: later(DAY_MS) };

const BAD: readonly (readonly [title: string, fields: object, path: string])[] = [
  ['tags that are no list', { tags: 'a' }, 'tags'],
  ['tags that are null', { tags: null }, 'tags'],
  ['21 tags', { tags: [...TAGS_20, 'one-more'] }, 'tags'],
  ['a tag twice', { tags: ['a', 'b', 'a'] }, 'tags'],
  ['a tag that is no slug', { tags: ['a', 'Not One'] }, 'tags.1'],
  ['a tag of 51 characters', { tags: ['t'.repeat(51)] }, 'tags.0'],
  ['a tag that is a number', { tags: [5] }, 'tags.0'],
  ['must_pass that is a text', { must_pass: 'true' }, 'must_pass'],
  ['must_pass that is null', { must_pass: null }, 'must_pass'],
  ['no samples', { sample_count: 0 }, 'sample_count'],
  ['101 samples', { sample_count: 101 }, 'sample_count'],
  ['half a sample', { sample_count: 1.5 }, 'sample_count'],
  ['sample_count that is null', { sample_count: null }, 'sample_count'],
  ['a sample_pass_rate below 0', { sample_pass_rate: -0.1 }, 'sample_pass_rate'],
  ['a sample_pass_rate above 1', { sample_pass_rate: 1.1 }, 'sample_pass_rate'],
  ['an advisory that is a text', { advisory: 'yes' }, 'advisory'],
  ['a blank owner', { advisory: { ...OWNERS, owner: ' ' } }, 'advisory.owner'],
  ['an owner of 201 characters', { advisory: { ...OWNERS, owner: 'o'.repeat(201) } }, 'advisory.owner'],
  ['no owner', { advisory: OWNERS }, 'advisory.owner'],
  ['a reason of 9 characters', { advisory: { ...REASONS, reason: 'r'.repeat(9) } }, 'advisory.reason'],
  ['a reason of 10 blanks', { advisory: { ...REASONS, reason: ' '.repeat(10) } }, 'advisory.reason'],
  [
    'a reason of 2,001 characters',
    { advisory: { ...REASONS, reason: 'r'.repeat(2_001) } },
    'advisory.reason',
  ],
  ['no end of the advisory', { advisory: advisoryUntil(undefined) }, 'advisory.expires_at'],
  ['an end that is null', { advisory: advisoryUntil(null) }, 'advisory.expires_at'],
  ['an end that is a number', { advisory: advisoryUntil(NOW_MS + DAY_MS) }, 'advisory.expires_at'],
  ['an end that is a day', { advisory: advisoryUntil('2036-05-06') }, 'advisory.expires_at'],
  ['an end without a zone', { advisory: advisoryUntil('2036-05-06T10:00:00') }, 'advisory.expires_at'],
  ['an end on no day', { advisory: advisoryUntil('2036-06-31T10:00:00Z') }, 'advisory.expires_at'],
  ['an end that is past', { advisory: advisoryUntil(later(-1)) }, 'advisory.expires_at'],
  ['an end that is now', { advisory: advisoryUntil(later(0)) }, 'advisory.expires_at'],
  ['an end 91 days ahead', { advisory: advisoryUntil(later(91 * DAY_MS)) }, 'advisory.expires_at'],
  [
    'an end a moment past 90 days',
    { advisory: advisoryUntil(later(90 * DAY_MS + 1)) },
    'advisory.expires_at',
  ],
  ['must_pass with an advisory', { must_pass: true, advisory: advisoryUntil(later(DAY_MS)) }, 'advisory'],
];

test.each(BAD)(
  'a case is refused with %s, when it is made and when it is changed',
  async (_, fields, path) => {
    expectInvalid(await create(fields), path);
    expectInvalid(await patch(fields), path);
    expect(await current()).toEqual(evalCase);
  },
);

test.each([
  ['20 tags, in their order', { tags: TAGS_20.toReversed() }],
  ['a tag of 50 characters', { tags: ['t'.repeat(50)] }],
  ['100 samples of which one has to pass', { sample_count: 100, sample_pass_rate: 0 }],
  ['must_pass, and advisory null', { must_pass: true, advisory: null }],
  [
    'the longest owner and reason',
    { advisory: { ...REASONS, owner: 'o'.repeat(200), reason: 'r'.repeat(2_000) } },
  ],
  ['an end 90 days ahead', { advisory: advisoryUntil(later(90 * DAY_MS)) }],
  ['an end in a millisecond', { advisory: advisoryUntil(later(1)) }],
])('a case is taken with %s, when it is made and when it is changed', async (_, fields) => {
  expect((await create(fields)).body.data).toMatchObject(fields);
  const answer = await patch(fields);
  expectData(answer, 200, { ...evalCase, ...fields, updated_at: answer.body.data.updated_at });
  expect(await current()).toEqual(answer.body.data);
});

describe('an advisory', () => {
  test.each([
    ['2036-05-06T12:00:00+02:00', '2036-05-06T10:00:00.000Z'],
    ['2036-05-06T10:00:00Z', '2036-05-06T10:00:00.000Z'],
    ['2036-05-06T10:00:00.1234567Z', '2036-05-06T10:00:00.123Z'],
    ['2036-05-05T23:30:00.5-11:00', '2036-05-06T10:30:00.500Z'],
  ])('that ends at %s is kept until %s', async (sent, stored) => {
    expect((await create({ advisory: advisoryUntil(sent) })).body.data.advisory).toEqual(
      advisoryUntil(stored),
    );
    expect((await patch({ advisory: advisoryUntil(sent) })).body.data.advisory).toEqual(
      advisoryUntil(stored),
    );
    expect((await current()).advisory).toEqual(advisoryUntil(stored));
  });

  test('is replaced as a whole, and given up by null', async () => {
    await patch({ advisory: advisoryUntil(later(DAY_MS)) });
    expectInvalid(await patch({ advisory: { owner: 'Ben' } }), 'advisory.reason', 'advisory.expires_at');
    const other = { owner: 'Ben', reason: 'Another reason altogether', expires_at: later(2 * DAY_MS) };
    expect((await patch({ advisory: other })).body.data.advisory).toEqual(other);
    expect((await patch({ advisory: null })).body.data.advisory).toBeNull();
  });

  test('and must_pass exclude each other, whichever comes second', async () => {
    await patch({ must_pass: true });
    expectInvalid(await patch({ advisory: advisoryUntil(later(DAY_MS)) }), 'advisory');
    await patch({ must_pass: false, advisory: advisoryUntil(later(DAY_MS)) });
    expectInvalid(await patch({ must_pass: true }), 'must_pass');
    expect((await patch({ must_pass: true, advisory: null })).status).toBe(200);
    expectInvalid(await patch({ advisory: advisoryUntil(later(DAY_MS)) }), 'advisory');
  });

  test('that has run out stays, may be sent back, and hinders no other change', async () => {
    const advisory = advisoryUntil(later(DAY_MS));
    await patch({ advisory });
    service.clock.ms = NOW_MS + 2 * DAY_MS;
    expect((await patch({ name: 'Renamed' })).body.data).toMatchObject({ name: 'Renamed', advisory });
    const held = await current();
    expect((await patch(held)).body.data).toMatchObject({ ...held, updated_at: expect.any(String) });
    const reworded = { ...advisory, owner: 'Ben', expires_at: '2036-05-06T12:00:00+02:00' };
    expect((await patch({ advisory: reworded })).body.data.advisory).toEqual({ ...advisory, owner: 'Ben' });
    expectInvalid(await patch({ advisory: advisoryUntil(later(DAY_MS - 1)) }), 'advisory.expires_at');
    expectInvalid(await patch({ must_pass: true }), 'must_pass');
    await patch({ advisory: null });
    expectInvalid(await patch({ advisory }), 'advisory.expires_at');
  });
});

test('a change of a rule is a new revision of the suite, as every edit is', async () => {
  const { table } = service;
  const head = { pk: `ORG#${gate.project.org_id}`, sk: `SUITE#${gate.suite.slug}#${gate.project.id}` };
  for (const fields of [{ tags: ['a'] }, { must_pass: true }, { sample_count: 2 }, { key: 'a-key' }]) {
    const before = Number((await table.get(head))?.n);
    expect((await patch(fields)).status).toBe(200);
    expect(Number((await table.get(head))?.n)).toBe(before + 1);
  }
});

test('no write makes a suite take more outputs than one run sends', async () => {
  gate = await makeGate(service.baseUrl);
  scorer = await makeScorer(gate.client, gate.project);
  const sampled = await makeCase(gate.client, gate.suite, scorer, { sample_count: 100 });
  evalCase = await makeCase(gate.client, gate.suite, scorer, { sample_count: 50, is_active: false });
  const filled = { name: 'Filled', scorer_id: scorer.id, expected: null };
  const sampleCount = (index: number) => (index === 0 ? 99 : 100);
  await fillSuite(service.table, gate, 199, (index) => ({ ...filled, sample_count: sampleCount(index) }));
  for (const refused of [create({ sample_count: 2 }), patch({ is_active: true })]) {
    const answer = await refused;
    expectInvalid(answer, 'sample_count');
    const [{ message }] = answer.body.error.details.issues;
    expect(message).toMatch(/take (20001|20049) outputs, and one run sends at most 20000/);
  }
  expect((await current()).is_active).toBe(false);
  expect((await create({})).status).toBe(201);
  expectInvalid(await create({}), 'sample_count');
  expect((await create({ is_active: false, sample_count: 100 })).status).toBe(201);
  const fewer = await gate.client('PATCH', `/v1/cases/${sampled.id}`, { sample_count: 99 });
  expect(fewer.status).toBe(200);
  expect((await create({})).status).toBe(201);
});
