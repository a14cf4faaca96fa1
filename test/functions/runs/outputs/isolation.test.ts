import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, type ApiAnswer, api, sharedServiceUrl } from '../../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../../support/builders.ts';
import { makeKey, newOrganisation } from '../../apiKeys/organisation.ts';
import { resultsOf } from '../gate.ts';
import { ALL, makeTrust, right, type Trust } from './trust.ts';

let [trust, stranger]: Trust[] = [];
beforeAll(async () => {
  const baseUrl = sharedServiceUrl();
  const { client } = await newOrganisation({ baseUrl });
  trust = await makeTrust(baseUrl, {}, client);
  stranger = await makeTrust(baseUrl);
});

/** The answer as it came over the wire, less what differs from call to call and the name that was sent. */
function bytesOf({ status, headers, body }: ApiAnswer, name: string): string {
  const kept = [...headers].filter(([field]) => !['date', 'content-length'].includes(field));
  const { id: _, duration_ms: __, ...rest } = body;
  return JSON.stringify({ status, kept, rest }).replaceAll(JSON.stringify(name), '"<name>"');
}

describe('a case of another organisation', () => {
  test('answers as one that never was, beside outputs of the suite', async () => {
    const [foreign, unknown] = [stranger!.cases.a.id, crypto.randomUUID()];
    const answerTo = async (name: string) =>
      bytesOf(await trust!.send([...ALL, { case: name, output: 'a' }]), name);
    const answered = await answerTo(foreign);
    expect(answered).toBe(await answerTo(unknown));
    expect(answered).toContain('"surplus":["<name>"]');
  });

  test('answers as one that never was, alone', async () => {
    const answerTo = async (name: string) => bytesOf(await trust!.send([{ case: name, output: 'a' }]), name);
    const answered = await answerTo(stranger!.cases.a.id);
    expect(answered).toBe(await answerTo(crypto.randomUUID()));
    expect(answered).toContain('"status":400');
  });
});

test('a case of another suite of the project is none of this one', async () => {
  const other = await makeSuite(trust!.client, trust!.project, { slug: 'other' });
  const scorer = trust!.scorer;
  const { id } = await makeCase(trust!.client, other, scorer, { key: 'elsewhere', expected: 'e' });
  const verdict = await trust!.run([...ALL, { case: id, output: 'e' }, { case: 'elsewhere', output: 'e' }]);
  expect(verdict).toMatchObject({ total_cases: 4, surplus: [id, 'elsewhere'], surplus_outputs: 2 });
});

describe('a key that is bound to another project', () => {
  test('gets the same answer about the suite as about one that never existed', async () => {
    const { client } = trust!;
    const elsewhere = await makeProject(client, { slug: 'elsewhere' });
    const scorer = await makeScorer(client, elsewhere);
    const suite = await makeSuite(client, elsewhere, { slug: 'own' });
    await makeCase(client, suite, scorer, { key: 'a', expected: 'a' });
    const bound = api(sharedServiceUrl(), (await makeKey(client, { project: 'elsewhere' })).key);
    const before = await trust!.counted();
    const post = (body: object) => bound('POST', '/v1/run', { outputs: ALL, ...body });
    const foreign = bytesOf(await post({ suite: 't' }), 't');
    expect(foreign).toBe(bytesOf(await post({ suite: 'u' }), 'u'));
    expect(foreign).toContain('"status":404');
    const named = bytesOf(await post({ suite: 't', project: 'trust' }), 't');
    expect(named).toBe(bytesOf(await post({ suite: 'u', project: 'nowhere' }), 'u'));
    expect(await trust!.counted()).toEqual(before);
    const own = await post({ suite: 'own' });
    expect(own).toMatchObject({ status: 200, body: { total_cases: 1, surplus: ['b', 'c', 'd'] } });
    const { id } = (await trust!.run(ALL)) as { id: string };
    expect((await bound('GET', `/v1/runs/${id}/results`)).status).toBe(404);
  });
});

describe('a key of scope run', () => {
  const SECRET = 'the-expected-secret';
  let own: Trust;
  let client: Api;
  beforeEach(async () => {
    const organisation = await newOrganisation({ baseUrl: sharedServiceUrl() });
    own = await makeTrust(sharedServiceUrl(), {}, organisation.client);
    await own.patchCase('a', { expected: SECRET, input: { asked: 'what?' } });
    client = api(sharedServiceUrl(), (await makeKey(own.client, { scope: 'run' })).key);
  });

  const runWrong = async (items: readonly object[] = [...right('b', 'c'), { case: 'a', output: 'x' }]) => {
    const { status, body } = await client('POST', '/v1/run', { suite: 't', outputs: items });
    expect(status).toBe(200);
    return String(body.id);
  };

  test('sees inputs and outputs, but not the expected texts', async () => {
    const id = await runWrong();
    const seen = await resultsOf(client, id);
    expect(seen.find(({ key }) => key === 'a')).toMatchObject({
      input_excerpt: '{"asked":"what?"}',
      output_excerpt: 'x',
    });
    for (const result of seen) expect(result).not.toHaveProperty('expected_excerpt');
    const shown = await resultsOf(own.client, id);
    expect(shown.find(({ key }) => key === 'a')).toMatchObject({ expected_excerpt: SECRET });
    // Who may change the bar may read it.
    const keeper = api(sharedServiceUrl(), (await makeKey(own.client, { scope: 'suites' })).key);
    expect(await resultsOf(keeper, id)).toEqual(shown);
    const filtered = await client('GET', `/v1/runs/${id}/results?outcome=failed&q=case&page=1`);
    expect(filtered.body.data).toHaveLength(2);
    for (const result of filtered.body.data) expect(result).not.toHaveProperty('expected_excerpt');
  });

  test('does not see what an assertion compares with, in any field of an answer', async () => {
    const assertions = [{ path: '$.said', op: 'equals', value: { $expected: '/secret' } }];
    const config = { assertions };
    const scorer = await makeScorer(own.client, own.project, { name: 'asserts', type: 'json_path', config });
    const secret = 'only-for-the-bar';
    await makeCase(own.client, own.suite, scorer, { key: 'asserted', expected: { secret } });
    const verdict = await client('POST', '/v1/run', {
      suite: 't',
      outputs: [...ALL, { case: 'asserted', output: '{"said":"else"}' }],
    });
    const results = await resultsOf(client, verdict.body.id);
    const { reason } = results.find(({ key }) => key === 'asserted');
    expect(reason).toContain('$.said must equal expected/secret');
    expect(JSON.stringify([verdict.body, results])).not.toContain(secret);
    expect(JSON.stringify(await resultsOf(own.client, verdict.body.id))).toContain(secret);
  });

  test('sees it where the suite shows it, from then on and until it shows it no more', async () => {
    const id = await runWrong();
    const excerpt = async () => (await resultsOf(client, id)).find(({ key }) => key === 'a').expected_excerpt;
    await own.patchSuite({ show_expected: true });
    expect(await excerpt()).toBe(SECRET);
    await own.patchSuite({ show_expected: false });
    expect(await excerpt()).toBeUndefined();
    await own.patchSuite({ show_expected: true });
    await own.client('DELETE', '/v1/projects/trust/suites/t');
    expect(await excerpt()).toBeUndefined();
    expect(JSON.stringify(await resultsOf(own.client, id))).toContain(SECRET);
  });

  test('reads no case and no scorer, whose rubric is the bar, too', async () => {
    const { cases, scorer, suite } = own;
    for (const path of [
      `/v1/cases/${cases.a.id}`,
      `/v1/suites/${suite.id}/cases`,
      `/v1/scorers/${scorer.id}`,
      '/v1/projects/trust/scorers',
    ]) {
      const answer = await client('GET', path);
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 403, 'SCOPE_REQUIRED']);
    }
    for (const path of [
      '/v1/projects/trust/suites/t',
      `/v1/suites/${suite.id}`,
      `/v1/suites/${suite.id}/revision`,
    ]) {
      const answer = await client('GET', path);
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    }
  });

  test('learns nothing of it from outputs that are missing or errors', async () => {
    for (const items of [right('b'), [...right('b'), { case: 'a', error: '429' }]]) {
      const seen = await resultsOf(client, await runWrong(items));
      expect(seen[0]).toMatchObject({ key: 'a', passed: false });
      expect(JSON.stringify(seen)).not.toContain(SECRET);
    }
  });

  test('is shown no more of an advisory case', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    await own.patchCase('a', { advisory: { owner: 'Ann', reason: 'Being rewritten', expires_at } });
    const [seen] = await resultsOf(client, await runWrong());
    expect(seen).toMatchObject({ key: 'a', advisory: true, output_excerpt: 'x' });
    expect(seen).not.toHaveProperty('expected_excerpt');
  });
});
