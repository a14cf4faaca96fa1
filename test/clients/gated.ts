import { beforeAll } from '@jest/globals';
import { Evalgate } from '../../clients/sdk/index.ts';
import { sharedServiceUrl } from '../support/api.ts';

export interface Gated {
  readonly gate: Evalgate;
  readonly apiKey: string;
  readonly orgId: string;
  readonly suiteId: string;
}

/** An organisation with the suite `returns` of the project `bot`, which asks for "30 days" in three cases. */
export async function aGate(url: string): Promise<Gated> {
  const { organisation, api_key } = await new Evalgate({ url }).auth.signup({ name: 'With the CLI' });
  const gate = new Evalgate({ url, apiKey: api_key.key });
  await gate.projects.create({ name: 'Bot', slug: 'bot' });
  const suite = await gate.suites.create('bot', { name: 'Returns', slug: 'returns' });
  const { id } = await gate.scorers.create('bot', {
    name: 'Mentions 30 days',
    type: 'contains',
    config: { values: ['30 days'] },
  });
  for (const name of ['window', 'refund', 'letter']) {
    await gate.cases.create(suite.id, { name, input: {}, scorer_id: id });
  }
  return { gate, apiKey: api_key.key, orgId: organisation.id, suiteId: suite.id };
}

/** One at the shared service for all tests of a file. */
export function useGate(): Gated {
  const gated = {} as Gated;
  beforeAll(async () => void Object.assign(gated, await aGate(sharedServiceUrl())));
  return gated;
}
