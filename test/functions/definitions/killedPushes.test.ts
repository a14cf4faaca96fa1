import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Api, ApiAnswer } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { type Killable, startKillable } from './killable.ts';

let killable: Killable;
beforeAll(async () => {
  killable = await startKillable();
});
afterAll(() => killable.stop());

/** Every case of the one passes and none of the other does, so that no mixture of both is one of them. */
const SAID = 'old';
const digestOfSuite = (says: 'old' | 'new', keys: readonly string[]) => ({
  version: 1,
  suite: 'returns',
  name: says,
  pass_threshold: 0.5,
  scorers: { [says]: { type: 'contains', config: { values: [says] } } },
  cases: keys.map((key) => ({ key, scorer: says, input: {} })),
});
type Bar = ReturnType<typeof digestOfSuite>;

/** A suite of an organisation of its own. */
interface Suite {
  readonly client: Api;
  readonly project: string;
}

async function pushedSuite(bar: Bar): Promise<Suite> {
  const suite = await killable.newProject();
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
  const reached = killable.proxy.stopAt(step);
  const pushing = ifAnswered(put(suite, next));
  await Promise.race([reached, pushing]);
  const half = answered.length;
  // The second one begins when the push has come this far.
  await eventually(() => answered.length >= half + 2);
  await killable.kill9();
  await Promise.all([pushing, running]);
  const isReached = killable.proxy.goOn() >= step;
  await killable.start();
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

const SMALL = {
  old: digestOfSuite('old', ['a', 'b', 'c']),
  next: digestOfSuite('new', ['d', 'a', 'b', 'e']),
};

/** Rows, texts and a revision of the cases and of the scorers, and the write that puts both in force. */
const WRITES = 7;

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
