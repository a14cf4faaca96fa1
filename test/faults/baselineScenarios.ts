import { handler as listBaselines } from '../../functions/baselines/list.ts';
import type { Run } from '../../shared/contracts/runs.ts';
import { suiteChain } from '../../shared/domain/suites/chains/chains.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { editAfter } from './edits.ts';
import { direct, type SuiteFixture } from './fixtures.ts';
import type { EndpointId } from './functions.ts';
import { insist } from './insist.ts';
import { auditLeftovers } from './leftovers.ts';
import { pushAfter } from './pushes.ts';
import { judgedSmall } from './runScenarios.ts';
import type { Scenario, Scene } from './scenario.ts';
import { storeKey } from './storedKeys.ts';

const DAY_MS = 86_400_000;

/** Asks once for a change by runs that are there then. Some are refused. */
function askAfter(
  { service, clients }: Scene,
  { org, id: suiteId }: SuiteFixture & { readonly id: string },
  delayMs: number,
  askOf: (runs: readonly Run[]) => readonly [EndpointId, object] | undefined,
): void {
  clients.begin(delayMs, async () => {
    const call = { params: { suiteId }, query: { pageSize: '100' } };
    const listed = await service.http('runs/list', call, org);
    const asked = askOf(listed?.status === 200 ? listed.body.data : []);
    if (asked === undefined) return;
    const answer = await service.http(asked[0], asked[1], org);
    const status = answer?.status ?? 200;
    const isExpected = [200, 201, 204, 400, 404, 409, 429].includes(status) || status >= 500;
    if (!isExpected) service.sim.violated(`${asked[0]} was answered ${JSON.stringify(answer?.body)}`);
  });
}

function drawAct({ random, service }: Scene, suiteId: string) {
  return (runs: readonly Run[]): readonly [EndpointId, object] | undefined => {
    const [one] = random.shuffle([...runs]);
    const alike = runs.filter((run) => run.suite_digest === one?.suite_digest && run.status !== 'pending');
    const run_ids = random.chance(0.8) ? [one?.id ?? 'run_1'] : alike.slice(0, 3).map(({ id }) => id);
    const reason = 'It is wanted for now.';
    const expires_at = new Date(service.sim.now() + random.int(1, 20) * DAY_MS).toISOString();
    const params = { suiteId };
    const aborted =
      random.shuffle(runs.filter(({ status, inconclusive }) => status === 'aborted' && !inconclusive))[0]
        ?.id ?? 'run_1';
    return random.pick<readonly [EndpointId, object]>([
      ['baselines/accept', { params, body: { run_ids } }],
      ['baselines/accept', { params, body: { run_ids } }],
      ['baselines/accept', { params, body: { run_ids } }],
      ...(random.chance(0.3) ? [['baselines/remove', { params }] as const] : []),
      ['waivers/create', { params: { runId: aborted }, body: { reason, expires_at } }],
      ['waivers/create', { params: { runId: aborted }, body: { reason, expires_at } }],
      ['waivers/delete', { params: { runId: aborted } }],
      ['comparisons/get', { params: { runId: one?.id ?? 'run_1' } }],
    ]);
  };
}

/** What is listed was accepted by a revision, and the other way round. */
async function auditAccepted({ service, suites }: Scene): Promise<void> {
  const { table, direct: runtime } = service;
  for (const { org, suite } of suites) {
    const call = { params: { suiteId: suite.id }, query: { pageSize: '100' } };
    const list = await direct(listBaselines.withRuntime(runtime), call, org.apiKey);
    const listed: string[] = list.data.map(({ id }: { id: string }) => id);
    const chain = suiteChain(org.orgId, { suiteId: suite.id, slug: suite.slug, projectId: org.project.id });
    const { cases } = chainStore(table);
    const accepted: string[] = [];
    for (let at = await cases.position(chain); at !== undefined && at.n > 0; ) {
      const { act, previous, n } = await cases.revision(chain, at);
      if (act.action === 'accepted' && act.target.type === 'baseline') accepted.push(act.target.id);
      at = previous === null ? undefined : { n: n - 1, token: previous };
    }
    insist(listed.join() === accepted.join(), `listed are ${listed}, and accepted were ${accepted}`);
    insist(list.pagination.total === listed.length, `the list says ${list.pagination.total} baselines`);
  }
}

/** Runs are accepted, compared and waived while others are judged, and the bar changes. */
export const baselineScenarios: readonly Scenario[] = [
  {
    name: 'runs are accepted and waived beside edits, pushes and other runs',
    edited: true,
    seeds: 12,
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const isDeterministic = random.chance(0.6);
      const gates = {
        ...(random.chance(0.7) && { max_newly_failing: random.int(0, 2) }),
        min_comparable: random.pick([0.2, 0.5, 0.9]),
      };
      const made = await scene.suite({
        name: 'Compared',
        gates,
        cases: random.int(2, 12),
        passThreshold: random.pick([0, 0.5, 1]),
        isJudged: isDeterministic
          ? () => false
          : random.pick([judgedSmall.isJudged, (index: number) => index % 3 === 0]),
      });
      const suite = { ...made, id: made.suite.id };
      for (let run = 0; run < random.int(6, 10); run++) {
        const like = isDeterministic && random.chance(0.5) ? { like: 'compared0' } : {};
        const wish = { suite, label: `compared${run}`, async: random.chance(0.4), ...like };
        clients.submit(random.int(0, 90_000), wish);
      }
      for (let act = 0; act < random.int(10, 20); act++)
        askAfter(scene, suite, random.int(2_000, 60_000), drawAct(scene, suite.id));
      for (let edit = 0; edit < random.int(0, 3); edit++) editAfter(scene, suite, random.int(0, 30_000));
      if (random.chance(0.4)) pushAfter(scene, suite, 'push', random.int(0, 30_000));
    },
    async end(scene) {
      await auditAccepted(scene);
      await auditLeftovers(scene);
    },
  },
];
