import { beforeEach, expect, test } from '@jest/globals';
import { type Api, api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';

const url = sharedServiceUrl();
let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, suite, scorer]: any[] = [];
beforeEach(async () => {
  client = await signUp(url);
  project = await makeProject(client);
  [suite, scorer] = await Promise.all([makeSuite(client, project), makeScorer(client, project)]);
});

const patchSuite = async (body: object) =>
  (await client('PATCH', `/v1/projects/${project.slug}/suites/${suite.slug}`, body)).body.data;
const patchCase = async ({ id }: { id: string }, body: object) =>
  (await client('PATCH', `/v1/cases/${id}`, body)).body.data;
const gatesIn = ({ warnings = [] }: { warnings?: readonly { gate: string }[] }) =>
  warnings.map(({ gate }) => gate);
const inDays = (days: number) => ({
  owner: 'Ada',
  reason: 'It is being rewritten.',
  expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
});

test('each write to a suite or a case answers which gates no output passes then, and a read answers none', async () => {
  const gates = { min_judged_cases: 2, tags: [{ tag: 'safety', pass_threshold: 0 }] };
  expect(await patchSuite({ gates })).not.toHaveProperty('warnings');
  const first = await makeCase(client, suite, scorer, { tags: ['safety'] });
  expect(first.warnings).toEqual([
    {
      gate: 'min_judged_cases',
      code: 'GATE_CANNOT_PASS',
      message: 'no output passes it: 1 case counts, and it takes 2',
    },
  ]);
  const second = await makeCase(client, suite, scorer);
  expect(second).not.toHaveProperty('warnings');
  expect(gatesIn(await patchCase(second, { is_active: false }))).toEqual(['min_judged_cases']);
  expect(gatesIn(await patchCase(second, {}))).toEqual(['min_judged_cases']);
  expect(gatesIn(await patchCase(second, { is_active: true }))).toEqual([]);
  expect(gatesIn(await patchCase(first, { tags: [] }))).toEqual(['tag:safety']);
  expect(gatesIn(await patchSuite({ name: 'Renamed' }))).toEqual(['tag:safety']);
  expect(gatesIn(await patchSuite({ gates: { min_lower_bound: 0.4 } }))).toEqual(['min_lower_bound']);
  expect((await client('GET', `/v1/cases/${first.id}`)).body.data).not.toHaveProperty('warnings');
  expect((await client('GET', `/v1/suites/${suite.id}`)).body.data).not.toHaveProperty('warnings');
});

test('a suite whose cases gate nothing is warned of, whether advisory or inactive', async () => {
  const only = await makeCase(client, suite, scorer);
  const advised = await patchCase(only, { advisory: inDays(1) });
  expect(advised.warnings).toMatchObject([
    { gate: 'pass_rate', message: expect.stringContaining('has advisory cases only') },
  ]);
  const inactive = await patchCase(only, { is_active: false });
  expect(inactive.warnings).toMatchObject([
    { gate: 'pass_rate', message: expect.stringContaining('has no active case') },
  ]);
});

test('a plan, the push and the same push again answer the warnings, for a key of scope run, too', async () => {
  const definition = {
    version: 1,
    suite: 'pushed',
    gates: { min_lower_bound: 0.9 },
    scorers: { says: { type: 'contains', config: { values: ['yes'] } } },
    cases: [{ key: 'one', scorer: 'says', input: {} }],
  };
  const path = `/v1/projects/${project.slug}/suites/pushed/definition`;
  const put = async (options: object, by = client) =>
    (await by('PUT', path, { definition, ...options })).body.data;
  const made = await client('POST', '/v1/api-keys', { name: 'CI', scope: 'run' });
  const ofRun = api(url, made.body.data.key);
  const plan = await put({ dry_run: true });
  expect(plan.warnings).toEqual([
    {
      gate: 'min_lower_bound',
      code: 'GATE_CANNOT_PASS',
      message: 'no output passes it: 1 case proves at most 0.206, even if all pass: it takes 35 cases',
    },
  ]);
  const [pushed, again] = [await put({}), await put({})];
  expect([pushed.applied, again.applied]).toEqual([true, false]);
  const all = [await put({ dry_run: true }, ofRun), pushed, again];
  for (const { warnings } of all) expect(warnings).toEqual(plan.warnings);
});
