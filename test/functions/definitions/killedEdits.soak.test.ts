import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Api } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { textsOfItems } from '../../support/textsOfItems.ts';
import { type Killable, startKillable } from './killable.ts';

/** kill -9 of the service at every write of an edit, of a deletion and of a purge. */

let killable: Killable;
beforeAll(async () => {
  killable = await startKillable();
});
afterAll(() => killable.stop());

interface Suite {
  readonly client: Api;
  readonly path: string;
  readonly project: string;
  readonly caseId: string;
}

const CANARY = 'canary of the deleted case';
const DEFINITION = {
  version: 1,
  suite: 'returns',
  pass_threshold: 1,
  scorers: { equals: { type: 'exact_match', config: {} } },
  cases: ['a', 'b', 'c'].map((key) => ({
    key,
    scorer: 'equals',
    input: {},
    expected: key === 'c' ? CANARY : 'yes',
  })),
};

async function newSuite(): Promise<Suite> {
  const { client, project } = await killable.newProject();
  const path = `/v1/projects/${project}/suites/returns`;
  const pushed = await client('PUT', `${path}/definition`, { definition: DEFINITION });
  expect(pushed.status).toBe(200);
  const { id } = (await client('GET', path)).body.data;
  const { data } = (await client('GET', `/v1/suites/${id}/cases`)).body;
  return { client, path, project, caseId: data.find(({ key }: { key: string }) => key === 'c').id };
}

const ifAnswered = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error) => {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  });

/** How many cases a run and the definition have; none where the suite is gone. */
async function seen({ client, path, project }: Suite) {
  const run = await client('POST', '/v1/run', { suite: 'returns', project, output: 'yes' });
  const { status, body } = await client('GET', `${path}/definition`);
  if (status === 404) return { status: run.status };
  const { cases } = body.data.definition;
  expect(run.body.suite_digest).toBe(body.data.suite_digest);
  return { status, cases: cases.length, total: run.body.total_cases, passed: run.body.passed_cases };
}

const OLD = { status: 200, cases: 3, total: 3, passed: 2 };

const DAYS_AHEAD_MS = 30.5 * 86_400_000;

// First, so that no other deletion is purged.
test('kill -9 at any write of a purge leaves the suite as it is, and the next purges erase the deleted case', async () => {
  const suite = await newSuite();
  const { client, caseId } = suite;
  expect((await client('DELETE', `/v1/cases/${caseId}`)).status).toBe(204);
  const items = async () => textsOfItems((await killable.items()) as Record<string, unknown>[]).join();
  const isErased = async () => !(await items()).includes(CANARY);
  let kills = 0;
  for (; !(await isErased()); kills++) {
    await killable.kill9();
    const reached = killable.proxy.stopAt(kills + 1, (body) => /"(ROWS|TEXTS|REVISION|PURGE)/.test(body));
    await killable.start(DAYS_AHEAD_MS);
    await Promise.race([reached, eventually(isErased)]);
    await killable.kill9();
    killable.proxy.goOn();
    await killable.start();
    expect(await seen(suite)).toEqual({ ...OLD, cases: 2, total: 2 });
  }
  expect(kills).toBeGreaterThan(1);
});

test.each([
  {
    name: 'a case is changed',
    writes: 4,
    after: { ...OLD, passed: 3 },
    again: 200,
    act: ({ client, caseId }: Suite) => client('PATCH', `/v1/cases/${caseId}`, { expected: 'yes' }),
  },
  {
    name: 'a case is deleted',
    writes: 4,
    after: { ...OLD, cases: 2, total: 2 },
    again: 404,
    act: ({ client, caseId }: Suite) => client('DELETE', `/v1/cases/${caseId}`),
  },
  {
    name: 'the suite is deleted',
    writes: 1,
    after: { status: 404 },
    again: 404,
    act: ({ client, path }: Suite) => client('DELETE', path),
  },
])(
  'kill -9 at any write while $name leaves the old suite or the new one, whole, and the request again heals it',
  async ({ act, writes, after, again }) => {
    for (let step = 1; step <= writes + 1; step++) {
      const suite = await newSuite();
      expect(await seen(suite)).toEqual(OLD);
      const isOfEdit = (body: string) => /"(ROWS|TEXTS|REVISION)#|#token|"Delete"/.test(body);
      const reached = killable.proxy.stopAt(step, isOfEdit);
      const acting = ifAnswered(act(suite));
      await Promise.race([reached, acting]);
      await killable.kill9();
      await acting;
      const isReached = killable.proxy.goOn() >= step;
      expect({ step, isReached }).toEqual({ step, isReached: step <= writes });
      await killable.start();
      expect(await seen(suite)).toEqual(isReached ? OLD : after);
      const { status } = await act(suite);
      expect(isReached ? status < 300 : status).toEqual(isReached ? true : again);
      expect(await seen(suite)).toEqual(after);
    }
  },
);
