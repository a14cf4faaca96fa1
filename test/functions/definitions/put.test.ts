import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiAnswer, sharedServiceUrl } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const url = sharedServiceUrl();

let gate: Gate;
beforeEach(async () => {
  gate = await makeGate(url, { name: 'Other', slug: 'other' });
});

const pathOf = (suite = 'returns') => `/v1/projects/${gate.project.slug}/suites/${suite}/definition`;

const says = (text: string) => ({ type: 'contains', config: { values: [text] } });
const definition = (changes: object = {}) => ({
  version: 1,
  suite: 'returns',
  name: 'Returns',
  pass_threshold: 0.5,
  scorers: { 'says-30': says('30 days') },
  cases: [
    { key: 'window', scorer: 'says-30', input: { q: 'How long?' }, weight: 2 },
    { key: 'again', scorer: 'says-30', input: {}, name: 'Again', threshold: 0.7, must_pass: true },
  ],
  ...changes,
});

/** Of an answer that must be 200. */
function dataOf({ status, body }: ApiAnswer) {
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.data;
}

const put = (body: object, suite?: string) => gate.client('PUT', pathOf(suite), body);
const pushed = async (changes: object = {}, options: object = {}) =>
  dataOf(await put({ definition: definition(changes), ...options }));
const get = async () => dataOf(await gate.client('GET', pathOf()));
const run = async (output: string) =>
  (await gate.client('POST', '/v1/run', { suite: 'returns', project: gate.project.slug, output })).body;

describe('PUT /v1/projects/:slug/suites/:suiteSlug/definition', () => {
  test('makes a suite with its scorers and cases, which runs are judged by at once', async () => {
    const answer = await pushed();
    expect(answer).toMatchObject({ applied: true, weaker: [], affects: [] });
    expect(answer.changes.map(({ kind, key, action }: never) => [kind, key, action])).toEqual([
      ['suite', 'returns', 'create'],
      ['scorer', 'says-30', 'create'],
      ['case', 'window', 'create'],
      ['case', 'again', 'create'],
    ]);
    expect(await run('Within 30 days.')).toMatchObject({ status: 'cleared', total_cases: 2 });
    expect(await run('Never.')).toMatchObject({ status: 'aborted' });
    const whole = await get();
    expect(whole).toMatchObject({
      definition_version: answer.definition_version,
      definition_digest: answer.definition_digest,
      suite_digest: answer.suite_digest.after,
      definition: definition(),
    });
  });

  test('a plan shows of a new resource only the fields that are no default, and its name only if it is not its key', async () => {
    const given = { name: 'Again', weight: 2, tags: ['refunds'] };
    const { changes } = await pushed(
      {
        cases: [
          { key: 'window', input: {}, scorer: 'says-30' },
          { key: 'again', input: {}, scorer: 'says-30', ...given },
        ],
      },
      { dry_run: true },
    );
    const named = changes.map(({ key, fields }: never) => [key, Object.keys(fields)]);
    expect(named).toEqual([
      ['returns', ['name', 'pass_threshold']],
      ['says-30', ['type', 'config']],
      ['window', ['scorer']],
      ['again', ['scorer', 'weight', 'tags']],
    ]);
  });

  test('the same push again changes nothing, and neither does what GET answers', async () => {
    const first = await pushed();
    const again = await pushed();
    expect(again).toMatchObject({
      applied: false,
      changes: [],
      definition_version: first.definition_version,
    });
    const { definition: whole } = await get();
    expect(dataOf(await put({ definition: whole }))).toMatchObject({
      applied: false,
      changes: [],
      definition_version: first.definition_version,
      definition_digest: first.definition_digest,
      suite_digest: { before: first.suite_digest.after, after: first.suite_digest.after },
    });
  });

  test('what changes is in force afterwards, in every part of the API', async () => {
    await pushed();
    const changes = {
      name: 'Returned',
      pass_threshold: 0.9,
      scorers: { 'says-30': says('thirty'), polite: says('please') },
      cases: [
        { key: 'polite', scorer: 'polite', input: {} },
        { key: 'window', scorer: 'polite', input: { q: 'How long is it?' }, weight: 3 },
      ],
    };
    const answer = await pushed(changes, { allow_weaker: true, prune: true });
    expect(answer.applied).toBe(true);
    expect(answer.changes.filter(({ action }: { action: string }) => action === 'delete')).toEqual([
      {
        kind: 'case',
        key: 'again',
        action: 'delete',
        fields: {},
        effect: expect.any(String),
        by_hand: false,
      },
    ]);
    expect((await get()).definition).toEqual({
      ...definition(changes),
      scorers: { polite: changes.scorers.polite },
    });
    expect(await run('please')).toMatchObject({ status: 'cleared', total_cases: 2 });
    const { id } = dataOf(await gate.client('GET', `/v1/projects/${gate.project.slug}/suites/returns`));
    const cases = await gate.client('GET', `/v1/suites/${id}/cases`);
    expect(cases.body.data.map(({ key, sort_order }: never) => [key, sort_order])).toEqual([
      ['polite', 0],
      ['window', 1],
    ]);
    expect(cases.body.pagination.total).toBe(2);
    const one = await gate.client('GET', `/v1/cases/${cases.body.data[1].id}`);
    expect(one.body.data).toMatchObject({ key: 'window', weight: 3 });
    const freed = { key: 'again', name: 'n', scorer_id: cases.body.data[0].scorer_id, input: {} };
    expect((await gate.client('POST', `/v1/suites/${id}/cases`, freed)).status).toBe(201);
  });

  test('cases that the definition does not have stay behind those that it has, unless they are pruned', async () => {
    await pushed();
    const less = { cases: [{ key: 'new', scorer: 'says-30', input: {} }] };
    const answer = await pushed(less, { allow_weaker: true });
    expect(answer.changes.map(({ key, action }: never) => [key, action])).toEqual([
      ['new', 'create'],
      ['window', 'keep'],
      ['again', 'keep'],
    ]);
    expect((await get()).definition.cases.map(({ key }: never) => key)).toEqual(['new', 'window', 'again']);
    expect(await pushed(less)).toMatchObject({
      applied: false,
      definition_version: answer.definition_version,
    });
  });

  test('a dry run writes nothing, and shows what would change', async () => {
    expect(await pushed({}, { dry_run: true })).toMatchObject({ applied: false, definition_version: 0 });
    expect((await gate.client('GET', pathOf())).status).toBe(404);
    const { definition_version } = await pushed();
    const lower = await pushed({ pass_threshold: 0.4 }, { dry_run: true });
    expect(lower).toMatchObject({
      applied: false,
      definition_version,
      changes: [{ kind: 'suite', fields: { pass_threshold: { from: 0.5, to: 0.4 } }, effect: 'weaker' }],
      weaker: [{ kind: 'suite', key: 'returns' }],
    });
    expect((await get()).definition.pass_threshold).toBe(0.5);
  });

  test('a weaker bar is 409 WEAKER_BAR and nothing is written, unless it may get weaker', async () => {
    const { definition_version } = await pushed();
    const refused = await put({ definition: definition({ pass_threshold: 0.4 }) });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'WEAKER_BAR',
      details: {
        definition_version,
        weaker: [{ kind: 'suite', fields: { pass_threshold: { from: 0.5, to: 0.4 } } }],
      },
    });
    expect(await get()).toMatchObject({ definition_version, definition: { pass_threshold: 0.5 } });
    expect(await pushed({ pass_threshold: 0.4 }, { allow_weaker: true })).toMatchObject({ applied: true });
    expect(await pushed({ pass_threshold: 0.6 })).toMatchObject({ applied: true, weaker: [] });
  });

  test('a plan that was made for another version is 409 VERSION_CONFLICT', async () => {
    const { definition_version } = await pushed({}, { expected_definition_version: 0 });
    const changed = { pass_threshold: 0.6 };
    const refused = await put({
      definition: definition(changed),
      expected_definition_version: definition_version - 1,
    });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ code: 'VERSION_CONFLICT', details: { definition_version } });
    const applied = await pushed(changed, { expected_definition_version: definition_version });
    expect(applied).toMatchObject({ applied: true, definition_version: definition_version + 1 });
    // A repeated request whose answer was lost.
    expect(await pushed(changed, { expected_definition_version: definition_version })).toMatchObject({
      applied: false,
    });
  });

  test('an edit by hand after a push is reported, and reverted by the next push', async () => {
    await pushed();
    const { id } = dataOf(await gate.client('GET', `/v1/projects/${gate.project.slug}/suites/returns`));
    const [first] = (await gate.client('GET', `/v1/suites/${id}/cases`)).body.data;
    await gate.client('PATCH', `/v1/cases/${first.id}`, { weight: 5 });
    const answer = await pushed({}, { allow_weaker: true });
    expect(answer).toMatchObject({
      applied: true,
      changes: [{ key: 'window', fields: { weight: { from: 5, to: 2 } }, by_hand: true }],
    });
    expect((await gate.client('GET', `/v1/cases/${first.id}`)).body.data).toMatchObject({
      id: first.id,
      weight: 2,
    });
  });

  test('a scorer that other suites use is named with them, and moves their digests', async () => {
    await pushed();
    await put({ definition: definition({ suite: 'second', name: 'second' }) }, 'second');
    const before = dataOf(await gate.client('GET', pathOf('second')));
    const answer = await pushed({ scorers: { 'says-30': says('30') } }, { allow_weaker: true });
    expect(answer.affects).toEqual([{ suite: 'second', scorers: ['says-30'] }]);
    const after = dataOf(await gate.client('GET', pathOf('second')));
    expect(after.suite_digest).not.toBe(before.suite_digest);
    expect(after.definition_version).toBeGreaterThan(before.definition_version);
    expect(after.definition.scorers['says-30'].config).toEqual({ values: ['30'] });
  });

  test('pruning deletes scorers of pushes that no case uses, and no others', async () => {
    await pushed();
    const other = {
      scorers: { polite: says('please') },
      cases: [{ key: 'window', scorer: 'polite', input: {} }],
    };
    const answer = await pushed(other, { allow_weaker: true, prune: true });
    expect(answer.changes).toContainEqual({
      kind: 'scorer',
      key: 'says-30',
      action: 'delete',
      fields: {},
      effect: 'same',
      by_hand: false,
    });
    const scorers = (await gate.client('GET', `/v1/projects/${gate.project.slug}/scorers`)).body.data;
    expect(scorers.map(({ key }: never) => key)).toContain('polite');
    expect(scorers.map(({ key }: never) => key)).not.toContain('says-30');
  });

  test('every part that is wrong is named, and nothing is written', async () => {
    const refused = await put({
      definition: definition({
        pass_treshold: 1,
        cases: [{ key: 'a', scorer: 'none', input: {}, wieght: 2 }],
      }),
    });
    expect(refused.status).toBe(400);
    const wrong = await put({ definition: definition({ cases: [{ key: 'a', scorer: 'none', input: {} }] }) });
    expect(wrong.body.error.details.issues).toEqual([
      { path: 'definition.cases.0.scorer', message: expect.stringContaining('names no scorer') },
    ]);
    expect((await gate.client('GET', pathOf())).status).toBe(404);
  });

  test('a push reaches projects of its own organisation only, and 404 is what others are', async () => {
    const stranger = await makeGate(url, { name: 'Returns', slug: 'returns' });
    expect((await stranger.client('PUT', pathOf(), { definition: definition() })).status).toBe(200);
    expect((await gate.client('GET', pathOf())).status).toBe(404);
    expect(
      (await gate.client('PUT', '/v1/projects/none/suites/returns/definition', { definition: definition() }))
        .status,
    ).toBe(404);
  });

  test('a suite that can have no such name is 404', async () => {
    for (const junk of ['%20', 'A', 'a'.repeat(101), '%F0%9F%8E%89']) {
      expect((await put({ definition: definition() }, junk)).status).toBe(404);
    }
  });

  test('the suite is made in the project that is named', async () => {
    const second = await makeProject(gate.client, {});
    await pushed();
    const path = `/v1/projects/${second.slug}/suites/returns/definition`;
    expect((await gate.client('GET', path)).status).toBe(404);
  });
});
