import type { PlanId } from '../../../shared/contracts/auth.ts';
import { placeOfRun } from '../../../shared/domain/runs/ids.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { runKey } from '../../../shared/storage/table/keys.ts';
import { changePlan } from '../../support/changePlan.ts';
import { type EvaluatorByHand, evaluatorByHand } from '../../support/evaluatorByHand.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { submit } from '../../support/stage.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

/** Ahead of any real clock, so that no engine drops by its own what lives by the test's. */
export const START_MS = Date.parse('2036-03-01T09:30:00.000Z');

/** A service whose clock the test moves, and its evaluator. */
export interface Upgrading {
  readonly service: OwnService;
  readonly evaluator: EvaluatorByHand;
  /** Sets the clock to so many days after the start. */
  day(days: number): void;
  /** An organisation of its own on the Free plan, with a suite of one case. */
  gate(): Promise<Gate>;
  /** A run that ended at the present moment of the clock; by the evaluator if need be. */
  run(gate: Gate, how?: 'sync' | 'async', sent?: object): Promise<string>;
  /** Changes the plan, and asks for the extension of runs unless that message is lost. */
  changePlan(gate: Gate, plan: PlanId, how?: 'message lost'): Promise<void>;
  /** When the run's item is dropped, in days after it was made. */
  daysKept(gate: Gate, runId: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startUpgrading(): Promise<Upgrading> {
  const service = await startOwnService({ RATE_LIMITS: 'off' });
  const evaluator = evaluatorByHand(service);
  const { table, clock } = service;
  const now = () => clock.ms ?? Date.now();
  return {
    service,
    evaluator,
    day: (days) => {
      clock.ms = START_MS + days * DAY_MS;
    },
    async gate() {
      const gate = await makeGate(service.baseUrl);
      await gate.add({});
      return gate;
    },
    async run(gate, how = 'sync', sent = { output: 'ok' }) {
      const body = { suite: gate.suite.slug, ...sent };
      if (how === 'sync') return (await gate.client('POST', '/v1/run', body)).body.id;
      const id = await submit(gate.client, body);
      evaluator.send({ kind: 'plan', org_id: gate.project.org_id, run_id: id });
      return id;
    },
    async changePlan({ project }, plan, how) {
      await changePlan(table, project.org_id, plan, now());
      if (how === undefined) evaluator.send({ kind: 'extend_retention', org_id: project.org_id });
    },
    async daysKept({ project }, runId) {
      const place = placeOfRun(runId);
      const item = place && (await table.get(runKey(project.org_id, place.suiteId, place.number)));
      return (Number(item?.expires_at) * 1_000 - Date.parse(String(item?.created_at))) / DAY_MS;
    },
    stop: () => service.stop(),
  };
}

/** What a client sees of a run, and of its suite's list. */
export async function seen({ client, suite }: Gate, runId: string) {
  const [run, results, list] = await Promise.all([
    client('GET', `/v1/runs/${runId}`),
    client('GET', `/v1/runs/${runId}/results`),
    client('GET', `/v1/suites/${suite.id}/runs?pageSize=100`),
  ]);
  const ids = list.status === 200 ? list.body.data.map(({ id }: { id: string }) => id) : [];
  return {
    run: run.status,
    results: results.status === 200 ? results.body.data.length : results.status,
    listed: ids.includes(runId),
    total: list.body.pagination?.total,
  };
}
