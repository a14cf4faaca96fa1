import { beforeAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import { contracts } from '../../shared/contracts/registry.ts';
import { type Api, sharedServiceUrl, signUp } from '../support/api.ts';
import { expectInvalid } from '../support/expectations.ts';
import { makeNames, type Names, requestTo } from '../support/requests.ts';

/** Bodies that grant no more, whatever is left out of them. */
const OPENS_NOTHING: ReadonlySet<string> = new Set(['billing/checkout']);

/** Whatever takes the scope `full` says who may do what, and so does what makes a token. */
const policies = contracts
  .filter(({ access, scope = 'full' }) => access === 'api_key' && scope === 'full')
  .concat(contracts.filter(({ id }) => id === 'auth/token'))
  .filter(({ id, body }) => body !== undefined && !OPENS_NOTHING.has(id));

let client: Api;
let names: Names;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  names = await makeNames(client);
});

test.each(policies.map((contract) => [contract.id, contract] as const))(
  '%s refuses a field that it does not know, by its name, and names those that it knows',
  async (_, contract) => {
    const { method, path, body } = requestTo(contract, names);
    const known = contract.body instanceof z.ZodObject ? Object.keys(contract.body.shape) : [];
    expect(known).not.toEqual([]);
    for (const field of ['scop', 'projcet', `${known[0]}s`, 'constructor']) {
      const answer = await client(method, path, { ...body, [field]: 'run' });
      expectInvalid(answer, field);
      expect(answer.body.error.details.issues[0].message).toBe(
        `is not a field here: leave it out, or use one of ${known.join(', ')}`,
      );
    }
  },
);

test('what exempts a case refuses a field that it does not know, whichever way the case is written', async () => {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const advisory = { owner: 'us', reason: 'until it is mended', expires_at, only_on: 'refs/heads/main' };
  const { suiteId, caseId, scorerId: scorer_id } = names;
  const message = 'is not a field here: leave it out, or use one of owner, reason, expires_at';
  for (const [method, path] of [
    ['POST', `/v1/suites/${suiteId}/cases`],
    ['PATCH', `/v1/cases/${caseId}`],
  ] as const) {
    const answer = await client(method, path, { name: 'New', input: {}, scorer_id, advisory });
    expectInvalid(answer, 'advisory.only_on');
    expect(answer.body.error.details.issues[0].message).toBe(message);
  }
});
