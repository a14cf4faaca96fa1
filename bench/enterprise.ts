import { type Api, api } from '../test/support/api.ts';
import { changePlan } from '../test/support/changePlan.ts';
import type { RunningService } from '../test/support/service.ts';
import { tableOf } from '../test/support/stage.ts';

/** A client of an organisation that may run as often as a bench does: Free ends at 500 runs a month. */
export async function signUpEnterprise(service: RunningService, connect = api): Promise<Api> {
  const { baseUrl } = service;
  const { body } = await api(baseUrl)('POST', '/v1/auth/signup', { name: 'Bench' });
  const { organisation, api_key } = body.data;
  await changePlan(tableOf(service), organisation.id, 'enterprise', Date.now());
  return connect(baseUrl, api_key.key);
}
