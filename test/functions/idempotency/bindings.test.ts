import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { makeKey, makeToken, newOrganisation } from '../apiKeys/organisation.ts';
import { isReplay, send } from './repeat.ts';

const { folder, keys } = tokenKeys(1);
let service: OwnService;
beforeAll(async () => {
  service = await startOwnService({ TOKEN_KEY_FILES: String(keys[0]?.file) });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

/** Two projects with a suite each, of one name, and keys for all, for one and for the other. */
let [all, one, other]: Api[] = [];
beforeEach(async () => {
  const { client } = await newOrganisation(service);
  const boundTo = async (slug: string): Promise<Api> => {
    const project = await makeProject(client, { slug });
    const suite = await makeSuite(client, project, { slug: 'gate' });
    await makeCase(client, suite, await makeScorer(client, project), { expected: 'ok' });
    return api(service.baseUrl, (await makeKey(client, { project: slug, scope: 'run' })).key);
  };
  [all, one, other] = [client, await boundTo('one'), await boundTo('other')];
});

const BODY = { suite: 'gate', output: 'ok' };

async function expectOwnRun(client: Api | undefined, body: object): Promise<string> {
  const answer = await send(client!, 'release-1', body);
  expect({ status: answer.status, replay: isReplay(answer) }).toEqual({ status: 200, replay: false });
  return answer.body.id;
}

test('one idempotency key is one run each for the organisation and for every project that keys are bound to', async () => {
  const ids = [
    await expectOwnRun(all, { ...BODY, project: 'one' }),
    await expectOwnRun(one, BODY),
    await expectOwnRun(other, BODY),
  ];
  expect(new Set(ids).size).toBe(3);
  const again = [
    await send(all!, 'release-1', { ...BODY, project: 'one' }),
    await send(one!, 'release-1', BODY),
    await send(other!, 'release-1', BODY),
  ];
  expect(again.map((answer) => [answer.body.id, isReplay(answer)])).toEqual(ids.map((id) => [id, true]));
});

test('a bound key neither learns of the keys that are used elsewhere nor takes one, whatever it sends', async () => {
  await send(all!, 'used', { ...BODY, project: 'other' });
  await send(other!, 'used', BODY);
  const answerTo = async (key: string, body: object) => {
    const { status, body: answered } = await send(one!, key, body);
    const { id: _, duration_ms: __, ...rest } = answered;
    return { status, rest };
  };
  // Refused first, so that the key stays free for the request after it.
  for (const body of [{ ...BODY, project: 'other' }, BODY, { ...BODY, output: 'no' }]) {
    expect(await answerTo('used', body)).toEqual(await answerTo('unused', body));
  }
  for (const key of ['used', 'unused']) {
    const again = await send(all!, key, { ...BODY, project: 'other' });
    expect({ status: again.status, replay: isReplay(again) }).toEqual({
      status: 200,
      replay: key === 'used',
    });
  }
});

test('keys of one project share their idempotency keys, and so do tokens made for them', async () => {
  const { key } = await makeKey(all!, { project: 'one' });
  const token = await makeToken(service, key);
  const id = await expectOwnRun(one, BODY);
  for (const credential of [key, token]) {
    const again = await send(api(service.baseUrl, credential), 'release-1', BODY);
    expect([again.body.id, isReplay(again)]).toEqual([id, true]);
  }
});

test('no idempotency key of the organisation looks like one of a project', async () => {
  await expectOwnRun(one, BODY);
  const { id } = (await all!('GET', '/v1/projects/one')).body.data;
  for (const key of [`${id}release-1`, `${id},release-1`, `["${id}","release-1"]`, `${id}","release-1`]) {
    const answer = await send(all!, key, { ...BODY, project: 'one' });
    expect({ status: answer.status, replay: isReplay(answer) }).toEqual({ status: 200, replay: false });
  }
});
