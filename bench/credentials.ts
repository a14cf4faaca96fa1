import { setTimeout as delay } from 'node:timers/promises';
import { newApiKey } from '../shared/domain/accounts/apiKey.ts';
import { type Api, api } from '../test/support/api.ts';
import { startService } from '../test/support/service.ts';
import { type Bench, median, type Row } from './result.ts';

const SIZE = {
  full: { keys: 20, rounds: 600, warmUps: 100, expiresInMs: 5_000 },
  smallest: { keys: 1, rounds: 1, warmUps: 0, expiresInMs: 2_000 },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];

type Kind = 'unknown' | 'revoked' | 'expired';

async function makeKey(client: Api, fields: object = {}): Promise<{ id: string; key: string }> {
  const { status, body } = await client('POST', '/v1/api-keys', { name: 'Bench', ...fields });
  if (status !== 201) throw new Error(`making a key: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Keys that are refused for three reasons, whose answers must be indistinguishable. */
async function refusedKeys(
  client: Api,
  { keys: count, expiresInMs }: Sizes,
): Promise<Record<Kind, string[]>> {
  let expiresAtMs = 0;
  const keys: Record<Kind, string[]> = { unknown: [], revoked: [], expired: [] };
  for (let nth = 0; nth < count; nth++) {
    const doomed = await makeKey(client);
    await client('DELETE', `/v1/api-keys/${doomed.id}`);
    keys.unknown.push(newApiKey());
    keys.revoked.push(doomed.key);
    expiresAtMs = Date.now() + expiresInMs;
    keys.expired.push((await makeKey(client, { expires_at: new Date(expiresAtMs).toISOString() })).key);
  }
  await delay(Math.max(0, expiresAtMs - Date.now()) + 1);
  return keys;
}

async function refusalMs(baseUrl: string, key: string): Promise<number> {
  const sent = performance.now();
  const { status } = await api(baseUrl, key)('GET', '/v1/projects');
  const waited = performance.now() - sent;
  if (status !== 401) throw new Error(`a key that is to be refused was answered ${status}`);
  return waited;
}

/** Measures refusals of each kind over HTTP, in turn, so that other load affects all alike. */
export const benchCredentials: Bench = async (size) => {
  const { keys: count, rounds, warmUps } = SIZE[size];
  const service = await startService();
  try {
    const keys = await refusedKeys(api(service.baseUrl, service.apiKey), SIZE[size]);
    const kinds = Object.keys(keys) as Kind[];
    const waits: Record<Kind, number[]> = { unknown: [], revoked: [], expired: [] };
    for (let round = -warmUps; round < rounds; round++) {
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = kinds[(turn + round + warmUps) % kinds.length] as Kind;
        const waited = await refusalMs(service.baseUrl, keys[kind][(round + warmUps) % count] ?? '');
        if (round >= 0) waits[kind].push(waited);
      }
    }
    const medians = kinds.map((kind) => median(waits[kind]));
    const rows = kinds.map((kind, index): Row => {
      return {
        metric: `refusing an API key that is ${kind}`,
        value: medians[index] ?? Number.NaN,
        unit: 'ms p50',
      };
    });
    const apart = Math.max(...medians) - Math.min(...medians);
    rows.push({
      metric: 'between the slowest and the fastest of them',
      value: apart,
      unit: 'ms',
      bound: { atMost: 1 },
    });
    return rows;
  } finally {
    await service.stop();
  }
};
