import { DAY_MS, dayOf, timestamp } from '../../../shared/domain/time.ts';
import { changePlan } from '../../support/changePlan.ts';
import { type EvaluatorByHand, evaluatorByHand } from '../../support/evaluatorByHand.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { submit } from '../../support/stage.ts';
import { addWordCases, type Gate, makeGate } from '../runs/gate.ts';

/** Noon of day 0, ahead of any real clock. */
const START_MS = Date.parse('2036-03-01T12:00:00.000Z');

export const dateOf = (day: number): string => dayOf(timestamp(START_MS + day * DAY_MS));

/** A service whose clock the test moves. */
export interface Days<Service extends OwnService = OwnService> {
  readonly service: Service;
  readonly evaluator: EvaluatorByHand;
  /** So many days, or parts of them, after the start. */
  day(day: number): void;
  now(): number;
  /** A suite of four cases, of which an output passes those whose word it holds, in an organisation on Pro. */
  gate(suite?: object): Promise<Gate>;
  changePlan(gate: Gate, plan: 'free' | 'pro'): Promise<void>;
  /** Accepts a run that is evaluated when the evaluator works. */
  submit(gate: Gate, output: string): Promise<string>;
  trends(gate: Gate, query?: string): Promise<TrendRow[]>;
  stop(): Promise<void>;
}

/** A day, its average pass rate, and its cleared, aborted and total runs. */
type TrendRow = readonly [date: string, average: number, cleared: number, aborted: number, total: number];

const WORDS = ['one', 'two', 'three', 'four'];
/** An output that passes so many of the four cases. */
export const passing = (count: number): string => `- ${WORDS.slice(0, count).join(' ')}`;

export const startDays = async (): Promise<Days> => daysOf(await startOwnService());

export function daysOf<Service extends OwnService>(service: Service): Days<Service> {
  const evaluator = evaluatorByHand(service);
  const { table, clock } = service;
  const days: Days<Service> = {
    service,
    evaluator,
    day: (day) => {
      clock.ms = START_MS + day * DAY_MS;
    },
    now: () => clock.ms ?? Date.now(),
    async gate(suite = {}) {
      const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5, ...suite });
      await changePlan(table, gate.project.org_id, 'pro', days.now());
      await addWordCases(gate, WORDS);
      return gate;
    },
    changePlan: ({ project }, plan) => changePlan(table, project.org_id, plan, days.now()),
    async submit({ client, suite, project }, output) {
      const id = await submit(client, { suite: suite.slug, output });
      evaluator.send({ kind: 'plan', org_id: project.org_id, run_id: id });
      return id;
    },
    async trends({ client, suite }, query = '') {
      const answer = await client('GET', `/v1/suites/${suite.id}/trends${query}`);
      if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.data.map((trend: Record<string, unknown>) => [
        trend.date,
        trend.avg_pass_rate,
        trend.cleared_count,
        trend.aborted_count,
        trend.total_runs,
      ]);
    },
    stop: () => service.stop(),
  };
  return days;
}
