import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const url = sharedServiceUrl();
let gate: Gate;
let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [scorer, evalCase]: any[] = [];
beforeAll(async () => {
  gate = await makeGate(url);
  client = gate.client;
});
beforeEach(async () => {
  scorer = await makeScorer(client, gate.project);
  evalCase = await makeCase(client, gate.suite, scorer);
});

const suitePath = () => `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
const suiteVersion = async (): Promise<number> => (await client('GET', suitePath())).body.data.version;
const scorerPath = () => `/v1/scorers/${scorer.id}`;
const scorerVersion = async (): Promise<number> => (await client('GET', scorerPath())).body.data.version;
const orderOf = async (): Promise<string[]> =>
  (await client('GET', `/v1/suites/${gate.suite.id}/cases?pageSize=100`)).body.data.map(
    ({ id }: { id: string }) => id,
  );

/** What names a version, and which one it names. */
const WRITES: readonly [
  what: string,
  version: () => Promise<number>,
  write: (expected_version: number) => ReturnType<Api>,
][] = [
  [
    'PATCH of a suite',
    suiteVersion,
    (v) => client('PATCH', suitePath(), { name: 'New', expected_version: v }),
  ],
  [
    'PATCH of a case',
    suiteVersion,
    (v) => client('PATCH', `/v1/cases/${evalCase.id}`, { weight: 2, expected_version: v }),
  ],
  [
    'a new order',
    suiteVersion,
    async (v) =>
      client('POST', `/v1/suites/${gate.suite.id}/cases/reorder`, {
        case_ids: (await orderOf()).toReversed(),
        expected_version: v,
      }),
  ],
  [
    'DELETE of a case',
    suiteVersion,
    (v) => client('DELETE', `/v1/cases/${evalCase.id}?expected_version=${v}`),
  ],
  [
    'PATCH of a scorer',
    scorerVersion,
    (v) => client('PATCH', scorerPath(), { name: 'New', expected_version: v }),
  ],
];

describe.each(WRITES)('%s', (_what, version, write) => {
  test('is made to the version that it names, and grows it by one', async () => {
    const before = await version();
    expect((await write(before)).status).toBeLessThan(300);
    expect(await version()).toBe(before + 1);
  });

  test('is refused where another version is in force, which the refusal names, and changes nothing', async () => {
    const before = await version();
    const answer = await write(before - 1);
    expect([answer.status, answer.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect(answer.body.error.details).toEqual({ version: before });
    expect(await version()).toBe(before);
  });
});

test('of writes at once that name one version, one is made', async () => {
  const version = await suiteVersion();
  const patches = [1, 2, 3, 4].map((weight) =>
    client('PATCH', `/v1/cases/${evalCase.id}`, { weight, expected_version: version }),
  );
  const statuses = (await Promise.all(patches)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, 409, 409, 409]);
});

test('a suite and a scorer are deleted at the version that is named only', async () => {
  const other = await makeGate(url);
  const path = `/v1/projects/${other.project.slug}/suites/${other.suite.slug}`;
  const { version } = (await other.client('GET', path)).body.data;
  expect((await other.client('DELETE', `${path}?expected_version=${version + 1}`)).status).toBe(409);
  expect((await other.client('DELETE', `${path}?expected_version=${version}`)).status).toBe(204);
  expect((await client('DELETE', `${scorerPath()}?expected_version=7`)).status).toBe(409);
  expect((await client('DELETE', `${scorerPath()}?expected_version=1`)).status).toBe(204);
});

test.each(['x', '-1', '1.5', ''])('an expected version "%s" is refused by name', async (version) => {
  const answer = await client('DELETE', `/v1/cases/${evalCase.id}?expected_version=${version}`);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('expected_version');
});
