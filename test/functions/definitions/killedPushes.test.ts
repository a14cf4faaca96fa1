import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '../../faults/random.ts';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { type EngineTable, startEngineTable, TABLE_NAME } from '../../support/ownService.ts';
import { eventually, type RunningService, startService, temporaryFolder } from '../../support/service.ts';
import { testInSoak } from '../../support/soak.ts';
import { startWriteProxy, type WriteProxy } from './writeProxy.ts';

let owned: EngineTable;
let proxy: WriteProxy;
let dataDir: string;
let service: RunningService;

const start = async () => {
  service = await startService({ dataDir, env: { DYNAMODB_ENDPOINT: proxy.url, TABLE_NAME } });
};
beforeAll(async () => {
  dataDir = temporaryFolder();
  owned = await startEngineTable();
  proxy = await startWriteProxy(owned.endpoint);
  await start();
});
afterAll(async () => {
  await service.kill9();
  await proxy.stop();
  await owned.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Every case of the one passes and none of the other does, so that no mixture of both is one of them. */
const SAID = 'old';
const barOf = (says: 'old' | 'new', keys: readonly string[]) => ({
  ...{ version: 1, suite: 'returns', name: says, pass_threshold: 0.5 },
  scorers: { [says]: { type: 'contains', config: { values: [says] } } },
  cases: keys.map((key) => ({ key, scorer: says, input: {} })),
});
type Bar = ReturnType<typeof barOf>;

/** A suite of an organisation of its own. */
interface Suite {
  readonly client: Api;
  readonly project: string;
}

async function pushedSuite(bar: Bar): Promise<Suite> {
  const { api_key } = (await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'O' })).body.data;
  // Whichever service runs then. Definitions of 10,000 cases are not compared with the document of the API again.
  const client: Api = (...args) => api(service.baseUrl, api_key.key, () => {})(...args);
  const suite = { client, project: (await makeProject(client)).slug };
  expect((await put(suite, bar)).applied).toBe(true);
  return suite;
}

function dataOf({ status, body }: ApiAnswer) {
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.data ?? body;
}

const pathOf = ({ project }: Suite) => `/v1/projects/${project}/suites/returns/definition`;
const put = async (suite: Suite, definition: Bar) =>
  dataOf(await suite.client('PUT', pathOf(suite), { definition, prune: true, allow_weaker: true }));
const get = async (suite: Suite) => dataOf(await suite.client('GET', pathOf(suite)));

/** By which bar a run was scored, and what it found. */
interface Scored {
  readonly suite_digest: string;
  readonly passed_cases: number;
  readonly total_cases: number;
}
const scoredBy = (suite_digest: string, { name, cases }: Bar): Scored => ({
  suite_digest,
  passed_cases: name === SAID ? cases.length : 0,
  total_cases: cases.length,
});

async function run({ client, project }: Suite): Promise<Scored> {
  const answer = await client('POST', '/v1/run', { suite: 'returns', project, output: SAID });
  const { suite_digest, passed_cases, total_cases } = dataOf(answer);
  return { suite_digest, passed_cases, total_cases };
}

/** Undefined where the service was killed meanwhile. */
const ifAnswered = <T>(asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error) => {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  });

/** Runs of the suite, one after another, until the service is gone. */
async function keepRunning(suite: Suite, answered: Scored[]): Promise<void> {
  for (;;) {
    const scored = await ifAnswered(run(suite));
    if (scored === undefined) return;
    answered.push(scored);
  }
}

/** Kills the service when a push comes to its n-th write, and looks at what is in force then. */
async function killedAt(
  step: number,
  suite: Suite,
  { old, next }: { readonly old: Bar; readonly next: Bar },
) {
  const before = await get(suite);
  const answered: Scored[] = [];
  const running = keepRunning(suite, answered);
  await eventually(() => answered.length > 0);
  const reached = proxy.stopAt(step);
  const pushing = ifAnswered(put(suite, next));
  await Promise.race([reached, pushing]);
  const half = answered.length;
  // The second one begins when the push has come this far.
  await eventually(() => answered.length >= half + 2);
  await service.kill9();
  await Promise.all([pushing, running]);
  const isReached = proxy.goOn() >= step;
  await start();
  const found = await get(suite);
  const isNew = found.definition.name === next.name;
  expect(found.definition).toEqual(isNew ? next : old);
  expect(isNew || found.suite_digest === before.suite_digest).toBe(true);
  const whole = [scoredBy(before.suite_digest, old), ...(isNew ? [scoredBy(found.suite_digest, next)] : [])];
  for (const scored of answered) expect(whole).toContainEqual(scored);
  expect(await run(suite)).toEqual(scoredBy(found.suite_digest, isNew ? next : old));
  return { isNew, isReached };
}

/** The push again: it applies what is not in force, and then nothing. */
async function heal(suite: Suite, next: Bar, isNew: boolean): Promise<void> {
  expect((await put(suite, next)).applied).toBe(!isNew);
  expect((await put(suite, next)).applied).toBe(false);
  const after = await get(suite);
  expect(after.definition).toEqual(next);
  if (!isNew) expect(await run(suite)).toEqual(scoredBy(after.suite_digest, next));
}

const SMALL = { old: barOf('old', ['a', 'b', 'c']), next: barOf('new', ['d', 'a', 'b', 'e']) };

/** Rows, texts and a revision of the cases and of the scorers, and the write that puts both in force. */
const WRITES = 7;
const drawn = new Random(Number(process.env.EVALGATE_PROPERTY_SEED ?? 1));

/** Kills a small push at its n-th write, and pushes again. */
async function killAndHeal(step: number) {
  const suite = await pushedSuite(SMALL.old);
  const { isNew, isReached } = await killedAt(step, suite, SMALL);
  await heal(suite, SMALL.next, isNew);
  expect(isNew).toBe(!isReached);
  return isReached;
}

test('kill -9 of the service at the write that puts a push in force, amid runs: each is scored by the old bar or the new one, whole', async () => {
  expect(await killAndHeal(WRITES)).toBe(true);
  expect(await killAndHeal(WRITES + 1)).toBe(false);
});

testInSoak('the same at any write', async () => {
  let step = 1;
  while (await killAndHeal(step)) step++;
  expect(step).toBeGreaterThan(6);
});

const keys = (count: number) => Array.from({ length: count }, (_, index) => `case-${index}`);
testInSoak(
  'kill -9 amid a push of 10,000 cases leaves the old bar or the new one, whole, and the push again heals it',
  async () => {
    const [old, next] = [barOf('new', ['a', 'b', 'c']), barOf('old', keys(10_000))];
    const suite = await pushedSuite(old);
    // Amid its chunks and its log, then amid the 304 transactions that write it out.
    const early = await killedAt(drawn.int(1, 2), suite, { old, next });
    expect(early).toEqual({ isNew: false, isReached: true });
    const made = await killedAt(drawn.int(20, 280), suite, { old, next });
    expect(made).toEqual({ isNew: true, isReached: true });
    await heal(suite, next, true);
  },
);

testInSoak(
  'kill -9 while changed cases are written out in transactions leaves the new bar, whole',
  async () => {
    const bars = { old: barOf('old', keys(2_100)), next: barOf('new', keys(2_100)) };
    const suite = await pushedSuite(bars.old);
    const changed = await killedAt(drawn.int(5, 24), suite, bars);
    expect(changed).toEqual({ isNew: true, isReached: true });
    await heal(suite, bars.next, true);
  },
);
