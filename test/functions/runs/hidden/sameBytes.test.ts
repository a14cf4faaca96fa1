import { expect, test } from '@jest/globals';
import { covers } from '../../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import { type ApiAnswer, sharedServiceUrl } from '../../../support/api.ts';
import { FAILURES, type Item, makeWorld, outputsWith, seen, WORDS, type World } from './world.ts';

interface Judged extends World {
  /** The bad output of a case. */
  readonly outputs: readonly object[];
  readonly sync: string;
  readonly queued: string;
  readonly accepted: string;
  readonly digest: string;
}

type Requests = (world: Judged) => readonly (readonly [method: string, path: string, body?: unknown])[];

const runsOf = ({ sync, queued, accepted }: Judged): readonly string[] => [sync, queued, accepted];
const RIGHT = outputsWith('failed', undefined);
const OTHER_DIGEST = `sha256:${'0'.repeat(64)}`;
const KEYED = { 'idempotency-key': 'attempt-1' };

/** All that a credential of scope `run` may ask for, by the ids of contracts. */
const REQUESTS: Readonly<Record<string, Requests>> = {
  'auth/whoami': () => [['GET', '/v1/whoami']],
  'auth/createCliCode': () => [
    ['POST', '/v1/auth/cli', { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }],
  ],
  'auth/createSession': () => [['POST', '/v1/auth/session', {}]],
  'auth/deleteSession': () => [['DELETE', '/v1/auth/session']],
  'suites/get': ({ gate }) => [['GET', `/v1/projects/${gate.project.slug}/suites/returns`]],
  'suites/getById': ({ gate }) => [['GET', `/v1/suites/${gate.suite.id}`]],
  'suites/revision': ({ gate }) => [['GET', `/v1/suites/${gate.suite.id}/revision`]],
  'history/revisions': ({ gate }) => [['GET', `/v1/suites/${gate.suite.id}/revisions`]],
  'history/revision': ({ gate, digest }) => [['GET', `/v1/suites/${gate.suite.id}/revisions/${digest}`]],
  'history/diff': ({ gate, digest }) => [['GET', `/v1/suites/${gate.suite.id}/revisions/${digest}/diff`]],
  'cases/inputs': ({ gate }) => [['GET', `/v1/suites/${gate.suite.id}/inputs`]],
  'runs/create': ({ outputs }) => [
    ['POST', '/v1/run', { suite: 'returns', outputs }],
    ['POST', '/v1/run', { suite: 'returns', outputs, suite_digest: OTHER_DIGEST }],
    ['POST', '/v1/run', { suite: 'returns', outputs, judge_again: true }],
    ['POST', '/v1/run', { suite: 'returns', outputs: [...outputs, { case: 'unknown', output: '' }] }],
    ['POST', '/v1/run', { suite: 'returns', outputs: [{ case: 'unknown', output: '' }] }],
    ['POST', '/v1/run', { suite: 'returns', outputs: [...RIGHT, ...RIGHT] }],
  ],
  'runs/get': (world) => runsOf(world).map((id) => ['GET', `/v1/runs/${id}`]),
  'runs/list': ({ gate }) => [
    ['GET', `/v1/suites/${gate.suite.id}/runs`],
    ['GET', `/v1/suites/${gate.suite.id}/runs?page=2&pageSize=1`],
    ['GET', `/v1/suites/${gate.suite.id}/runs?branch=main`],
  ],
  'runs/statement': (world) => runsOf(world).map((id) => ['GET', `/v1/runs/${id}/statement`]),
  'runs/results': (world) =>
    runsOf(world).flatMap((id) =>
      ['', '?outcome=failed', '?outcome=passed&page=1&pageSize=1', '?outcome=missing', '?outcome=errored']
        .concat('?q=says-one', '?q=no', '?tag=eu', '?sort=score', '?page=9&pageSize=100')
        .map((query) => ['GET', `/v1/runs/${id}/results${query}`] as const),
    ),
  'baselines/get': ({ gate }) => [['GET', `/v1/suites/${gate.suite.id}/baseline`]],
  'baselines/list': ({ gate }) => [['GET', `/v1/suites/${gate.suite.id}/baselines`]],
  'comparisons/get': (world) =>
    runsOf(world).flatMap((id) =>
      ['', `?baseline=${world.accepted}`, `?baseline=${world.sync}`].map(
        (query) => ['GET', `/v1/runs/${id}/comparison${query}`] as const,
      ),
    ),
  'definitions/put': ({ gate }) => [
    [
      'PUT',
      `/v1/projects/${gate.project.slug}/suites/returns/definition`,
      { definition: { version: 1, suite: 'returns', show_results: true }, dry_run: true, prune: true },
    ],
  ],
};

/** All that scope `run` is answered where this case did not pass. */
async function answersWhere(failure: string, place: number, fields: Item, caseFields: Item) {
  const world = await makeWorld(sharedServiceUrl(), { show_results: false, ...fields }, caseFields);
  const { job, owner, gate } = world;
  const accepted = await world.run(RIGHT);
  expect((await world.accept([accepted])).status).toBe(201);
  const outputs = outputsWith(failure, place);
  const keyed = () => job('POST', '/v1/run', { suite: 'returns', outputs }, KEYED);
  const answers: ApiAnswer[] = [await keyed(), await keyed()];
  answers.push(await job('POST', '/v1/run', { suite: 'returns', outputs: outputs.slice(1) }, KEYED));
  const { id: sync, suite_digest: digest } = answers[0]?.body ?? {};
  const pending = await job('POST', '/v1/run', { suite: 'returns', outputs, async: true });
  answers.push(pending);
  const queued = await world.run(outputs, { async: true });
  const judged: Judged = { ...world, outputs, sync, queued, accepted, digest };
  const texts = answers.map(seen);
  const ask = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      for (const request of REQUESTS[id]?.(judged) ?? []) {
        const answer = await job(...request);
        texts.push(`${id} ${seen(answer)}`);
        if (!/^(?:history|cases|definitions)/.test(id)) answers.push(answer);
      }
    }
  };
  await ask(Object.keys(REQUESTS));
  const { data: cases } = (await owner('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  const all = await owner('GET', `/v1/runs/${sync}/results?outcome=failed`);
  expect(all.body.data).toHaveLength(1);
  expect((await owner('DELETE', `/v1/projects/${gate.project.slug}/suites/returns`)).status).toBe(204);
  await ask(['runs/get', 'runs/results', 'comparisons/get', 'runs/list', 'runs/statement']);
  const bodies = JSON.stringify(answers.map(({ body }) => body ?? null));
  expect(cases.filter((one: { id: string }) => bodies.includes(one.id))).toEqual([]);
  return texts;
}

const SUITES = {
  'a pass rate that holds': [{ pass_threshold: 0.5 }, {}],
  'a pass rate that does not hold': [{ pass_threshold: 1 }, {}],
  'cases that must pass': [{ pass_threshold: 0.5 }, { must_pass: true }],
  'gates on a tag and on a baseline': [
    {
      pass_threshold: 0.5,
      gates: {
        tags: [{ tag: 'eu', pass_threshold: 0.9 }],
        max_newly_failing: 0,
        regression: { alpha: 0.5, min_drop: 0 },
        min_judged_cases: 4,
        min_lower_bound: 0.1,
      },
    },
    {},
  ],
  'weights that are no sums of powers of two, and a baseline': [
    {
      pass_threshold: 0.75,
      gates: { max_newly_failing: 1, regression: { alpha: 0.5, min_drop: 0 }, min_lower_bound: 0.3 },
    },
    { weight: 0.1 },
  ],
} as const;

test.each(
  Object.keys(FAILURES).flatMap((failure) => Object.keys(SUITES).map((suite) => [failure, suite] as const)),
)(
  'two runs that differ in which case is %s have the same answers by every contract of scope run, under %s',
  async (failure, suite) => {
    const [fields, caseFields] = SUITES[suite as keyof typeof SUITES];
    const [first = [], other = []] = await Promise.all(
      [0, 3].map((place) => answersWhere(failure, place, fields, caseFields)),
    );
    expect(other.filter((text, index) => text !== first[index])).toEqual([]);
    expect(other).toHaveLength(first.length);
    // A bar names its cases, and says nothing of a run.
    const ofRuns = first.filter((text) => !/^(?:history|cases|definitions|runs\/create) ?/.test(text));
    for (const word of WORDS) expect(ofRuns.filter((text) => text.includes(`says-${word}`))).toEqual([]);
    expect(first.filter((text) => text.includes('"code":"INTERNAL_ERROR"'))).toEqual([]);
  },
);

test('these are all contracts that a credential of scope run may call', () => {
  const callable = contracts.filter(
    ({ access, scope = 'full' }) => access === 'api_key' && covers('run', scope),
  );
  expect(callable.map(({ id }) => id).sort()).toEqual(Object.keys(REQUESTS).sort());
});
