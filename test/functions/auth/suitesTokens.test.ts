import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Contract, errorsOf } from '../../../shared/contracts/base/contract.ts';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Api, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectNotFound } from '../../support/expectations.ts';
import { makeNames, makeNamesIn, type Names, requestTo } from '../../support/requests.ts';
import { expectToken, type Keyless, startKeyless } from './keyless.ts';
import { type Pushing, pushing } from './pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const jobOf = async ({ ask }: Pushing): Promise<Api> =>
  api(keyless.service.baseUrl, expectToken(await ask()));

const ORGANISATIONS =
  /^(?:(?:apiKeys|trustedIssuers|signIn|billing|organisation)\/|byokKeys\/(?!create)|history\/organisationChanges$)/;

const rows = contracts
  .filter(({ access }) => access === 'api_key')
  .map((contract): [string, Contract] => [contract.id, contract]);

test.each(rows)("%s answers a job's token of scope suites as its scope states", async (_, contract) => {
  const pushed = await pushing(keyless);
  const { org, project, registration } = pushed;
  const elsewhere = await makeNames(org.client);
  const names: Names = {
    ...elsewhere,
    ...(await makeNamesIn(org.client, project)),
    issuerId: registration.id,
  };
  const job = await jobOf(pushed);
  const before = await org.registrations();
  const send = (named: Names) => {
    const { method, path, body } = requestTo(contract, named);
    return job(method, path, body);
  };
  const { status } = await send(names);
  if (ORGANISATIONS.test(contract.id)) {
    // What belongs to the organisation is not there for a credential of one project.
    expect(status).toBe(404);
  } else if (!covers('suites', contract.scope ?? 'full') || contract.forBrowsers) {
    expect(status).toBe(403);
  } else if (errorsOf(contract).includes('PLAN_REQUIRED')) {
    expect(status).toBe(403);
  } else if (contract.id === 'baselines/accept') {
    // A job accepts runs of its own.
    expect(status).toBe(400);
  } else if (contract.id === 'judgeChecks/start') {
    // It comes as far as the queue, which this service lacks.
    expect(status).toBe(500);
  } else {
    // The run is aborted, and only a cleared one has a statement.
    const answers = contract.id === 'runs/statement' ? ['409'] : Object.keys(contract.responses);
    expect(answers).toContain(String(status));
  }
  if (/[:]/.test(contract.path)) expectNotFound(await send({ ...elsewhere, issuerId: registration.id }));
  expect(await org.registrations()).toEqual(before);
});

test('a job of scope suites changes what its project is judged by, and nothing of another project', async () => {
  const pushed = await pushing(keyless);
  const job = await jobOf(pushed);
  const other = await makeProject(pushed.org.client, { slug: 'other' });
  const suite = { name: 'Gate', pass_threshold: 0.9 };
  expect((await job('POST', '/v1/projects/bot/suites', suite)).status).toBe(201);
  expect((await job('PATCH', '/v1/projects/bot/suites/gate', { pass_threshold: 0.8 })).status).toBe(200);
  expectNotFound(await job('POST', `/v1/projects/${other.slug}/suites`, suite));
  expect((await job('GET', '/v1/projects')).body.data).toMatchObject([{ slug: 'bot' }]);
  const keyOfItsOwn = { name: 'Kept', scope: 'suites', project: 'bot' };
  expectNotFound(await job('POST', '/v1/api-keys', keyOfItsOwn));
});
