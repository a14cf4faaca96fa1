import { beforeEach, describe, expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../../support/api.ts';
import { makeKey } from '../../apiKeys/organisation.ts';
import { makeWorld, outputsWith, type World } from './world.ts';

const url = sharedServiceUrl();
const BAD = outputsWith('failed', 0);
const RIGHT = outputsWith('failed', undefined);

/** All that the credential is answered of a run. */
async function answersOf({ job }: World, id: string) {
  const paths = ['', '/results', '/results?outcome=failed', '/statement'];
  const answers = await Promise.all(paths.map((path) => job('GET', `/v1/runs/${id}${path}`)));
  return answers.map(({ status, body }) => ({ status, body: body.dsseEnvelope?.payload ?? body }));
}
const REFUSED = { status: 403, body: { error: { code: 'RESULTS_HIDDEN' } } };

describe('a suite that does not show results', () => {
  let world: World;
  beforeEach(async () => {
    world = await makeWorld(url, { show_results: false, pass_threshold: 0.5 });
  });

  test('shows a credential of scope run the figures of its runs, marked as runs whose results are hidden', async () => {
    const { body, status } = await world.job('POST', '/v1/run', { suite: 'returns', outputs: BAD });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'cleared',
      total_cases: 4,
      failed_cases: 1,
      advisory_cases: 1,
      results_hidden: true,
      scores: [],
      failures: [],
      notices: [],
      verdict: { gates: [{ gate: 'pass_rate', observed: 0.75, required: 0.5 }] },
    });
    expect(await world.job('GET', `/v1/runs/${body.id}/results`)).toMatchObject(REFUSED);
    expect(await world.comparison(body.id)).toMatchObject({ status: 404 });
    expect(await world.job('GET', `/v1/runs/${body.id}/comparison`)).toMatchObject(REFUSED);
  });

  test.each(['read', 'suites', 'full'])('shows a credential of scope %s all of its runs', async (scope) => {
    const client = api(url, (await makeKey(world.owner, { scope })).key);
    const keyed = { 'idempotency-key': 'one' };
    const sent = { suite: 'returns', outputs: BAD };
    const { id } = (await world.job('POST', '/v1/run', sent, keyed)).body;
    expect((await client('GET', `/v1/runs/${id}`)).body.data).toMatchObject({
      results_hidden: true,
      notices: [{ code: 'ADVISORY_EXPIRING' }],
    });
    expect((await client('GET', `/v1/runs/${id}/results`)).body.data).toHaveLength(5);
    if (scope === 'read') return;
    const { body } = await client('POST', '/v1/run', sent, keyed);
    expect(body).toMatchObject({ id, failures: [{ key: 'says-one' }] });
    expect(body.scores).toHaveLength(5);
  });

  test('hides results of earlier runs after it shows them, and after its deletion', async () => {
    const id = await world.run(BAD);
    const before = await answersOf(world, id);
    expect(before[1]).toMatchObject(REFUSED);
    await world.patch({ show_results: true });
    expect(await answersOf(world, id)).toEqual(before);
    const later = await world.run(BAD);
    const [run, results] = await answersOf(world, later);
    expect(run?.body.data).not.toHaveProperty('results_hidden');
    expect(results?.body.data).toHaveLength(5);
    expect(await world.job('GET', `/v1/runs/${later}/comparison?baseline=${id}`)).toMatchObject(REFUSED);
    expect(await world.job('GET', `/v1/runs/${id}/comparison?baseline=${later}`)).toMatchObject(REFUSED);
    expect((await world.comparison(later, `?baseline=${id}`)).status).toBe(200);
    const { project, suite } = world.gate;
    await world.owner('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
    const [gone, ...others] = await answersOf(world, id);
    expect(gone?.body.data).toEqual({ ...before[0]?.body.data, suite: null });
    expect(others).toEqual(before.slice(1));
  });

  test('keeps later runs hidden by its baseline, until that is removed or replaced by runs that are shown', async () => {
    const shownBefore = makeWorld(url, { pass_threshold: 0.5 });
    const other = await shownBefore;
    const open = await other.run(RIGHT);
    await other.patch({ show_results: false });
    const hidden = await other.run(RIGHT);
    expect((await other.accept([open, hidden])).status).toBe(201);
    await other.patch({ show_results: true });
    const isHidden = async () => {
      const id = await other.run(BAD);
      const [run, results] = await answersOf(other, id);
      expect(results?.status).toBe(run?.body.data.results_hidden ? 403 : 200);
      return run?.body.data.results_hidden === true;
    };
    expect(await isHidden()).toBe(true);
    // It was accepted without a baseline, and is compared with the current one.
    expect(await other.job('GET', `/v1/runs/${open}/comparison`)).toMatchObject(REFUSED);
    expect((await other.accept([open])).status).toBe(201);
    expect(await isHidden()).toBe(false);
    expect((await other.job('GET', `/v1/runs/${open}/comparison`)).status).toBe(200);
    expect((await other.accept([hidden])).status).toBe(201);
    expect(await isHidden()).toBe(true);
    expect((await other.remove()).status).toBe(204);
    expect(await isHidden()).toBe(false);
  });

  test('hides a run that was pending while it began to show them', async () => {
    const sent = { suite: 'returns', outputs: BAD, async: true };
    const { id } = (await world.job('POST', '/v1/run', sent)).body;
    await world.patch({ show_results: true });
    await world.run(RIGHT);
    expect((await answersOf(world, id))[1]).toMatchObject(REFUSED);
  });

  test('has no other digest than one that shows them, and its plan leaves the bar as it is', async () => {
    const path = `/v1/projects/${world.gate.project.slug}/suites/returns/definition`;
    const before = (await world.owner('GET', path)).body.data;
    expect(before.definition).toMatchObject({ show_results: false });
    const { show_results: _, ...shown } = before.definition;
    const { body } = await world.job('PUT', path, { definition: shown, dry_run: true });
    expect(body.data).toMatchObject({
      changes: [{ kind: 'suite', effect: 'same', fields: { show_results: { from: false, to: true } } }],
      weaker: [],
      suite_digest: { before: before.suite_digest, after: before.suite_digest },
    });
    expect((await world.owner('PUT', path, { definition: before.definition })).body.data.changes).toEqual([]);
    expect((await world.owner('PUT', path, { definition: shown })).status).toBe(200);
    expect((await world.owner('GET', path)).body.data.definition).toEqual(shown);
  });
});

test('a suite that begins to hide results hides none of an earlier run', async () => {
  const world = await makeWorld(url, { pass_threshold: 0.5 });
  const id = await world.run(BAD);
  const before = await answersOf(world, id);
  expect(before[1]?.body.data).toHaveLength(5);
  await world.patch({ show_results: false });
  expect(await answersOf(world, id)).toEqual(before);
  expect((await answersOf(world, await world.run(BAD)))[1]).toMatchObject(REFUSED);
});
