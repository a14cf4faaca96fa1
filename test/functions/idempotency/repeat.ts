import type { Api, ApiAnswer } from '../../support/api.ts';

/** `POST /v1/run` with an `Idempotency-Key`. */
export const send = (client: Api, key: string, body: unknown): Promise<ApiAnswer> =>
  client('POST', '/v1/run', body, { 'idempotency-key': key });

export const isReplay = ({ headers }: ApiAnswer): boolean => headers.get('idempotency-replayed') === 'true';

/** Runs on one page: the total of several counts the numbers of runs whose service died before they were stored, too. */
export async function runsListed(client: Api, suite: { id: string }): Promise<number> {
  return (await client('GET', `/v1/suites/${suite.id}/runs?pageSize=100`)).body.data.length;
}
