import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { decoded, signedToken, type TokenKey, tokenKeys } from '../../support/tokenKeys.ts';
import { makeToken, newOrganisation } from '../apiKeys/organisation.ts';
import { FORGERIES } from './forgeries.ts';

const { folder, keys } = tokenKeys(1);
const [key] = keys as [TokenKey];
let service: OwnService;
let good: string;
let refusal: Answer;
beforeAll(async () => {
  service = await startOwnService({
    TOKEN_KEY_FILES: key.file,
    TOKEN_ISSUER: 'https://api.example.test',
  });
  good = await makeToken(service, (await newOrganisation(service)).first.key);
  refusal = await answerTo(undefined);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

interface Answer {
  readonly status: number;
  readonly headers: unknown;
  readonly text: string;
}

/** To the byte, less the time. */
async function answerTo(token: string | undefined): Promise<Answer> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${service.baseUrl}/v1/projects`, { headers });
  const kept = [...answer.headers].filter(([name]) => name !== 'date');
  return { status: answer.status, headers: kept, text: await answer.text() };
}

test('the token that all of these are made from is good, also signed anew', async () => {
  expect(refusal).toMatchObject({ status: 401 });
  expect(refusal.headers).toContainEqual(['www-authenticate', 'Bearer']);
  const anew = signedToken(key, decoded(good, 0), decoded(good, 1));
  for (const token of [good, anew]) expect((await answerTo(token)).status).toBe(200);
});

test.each(FORGERIES)('%s: the same 401 as for no credential at all', async (_, forge) => {
  const forged = forge(good, key, Math.floor(Date.now() / 1_000));
  expect(forged).not.toBe(good);
  expect(await answerTo(forged)).toEqual(refusal);
});

test('no forgery is a fault of ours', () => {
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
});
