import type { Api, ApiAnswer } from '../../support/api.ts';

/** No key of anybody. */
export const RAW_KEY = 'sk-proj-Zx81kLmN0pQrStUvWxYz2345';

export const addKey = (client: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<ApiAnswer> =>
  client('POST', '/v1/byok-keys', { provider: 'openai', key: RAW_KEY, ...fields });

// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
export async function makeKey(client: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<any> {
  const answer = await addKey(client, fields);
  if (answer.status !== 201) throw new Error(`creating: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
export async function keysOf(client: Api): Promise<any[]> {
  return (await client('GET', '/v1/byok-keys?pageSize=100')).body.data;
}
