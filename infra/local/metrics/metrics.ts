import { PROVIDERS } from '../../../shared/domain/byok/providers.ts';
import { JUDGE_ERROR_CODES } from '../../../shared/domain/evaluation/judging/ports.ts';
import { VERSION } from '../../../shared/domain/version.ts';
import type { Log } from '../../../shared/runtime/log.ts';
import type { Runtime } from '../../../shared/runtime/runtime.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import type { LocalQueues } from '../queue/connect.ts';
import { count, exposition, type Metric, written } from './exposition.ts';

const BUILD = { version: VERSION, node: process.versions.node };
const VERDICTS = ['cleared', 'aborted', 'inconclusive'];
const OUTCOMES = ['verdict', ...JUDGE_ERROR_CODES];

/** A value of the list: a series for each foreign text would fill the memory, and show the text. */
const oneOf = (known: readonly string[], value: unknown): string =>
  known.find((one) => one === value) ?? 'other';

/** What this process has done since its start. */
export function createMetrics(queues: LocalQueues) {
  const requests = count('evalgate_requests_total', 'Answers, by route and HTTP status.');
  const runs = count(
    'evalgate_runs_total',
    'Runs that ended, by verdict.',
    VERDICTS.map((verdict) => ({ verdict })),
  );
  const slots = count(
    'evalgate_judge_slots',
    'Slots that calls of judges take now. An organisation has 20 at a provider.',
    PROVIDERS.map((provider) => ({ provider })),
    'gauge',
  );
  const judged = count(
    'evalgate_cases_judged_total',
    'Cases that a model was to judge, by provider and outcome: verdict, or the code of the error.',
    PROVIDERS.flatMap((provider) => OUTCOMES.map((outcome) => ({ provider, outcome }))),
  );
  const storage = count('evalgate_storage_errors_total', 'Calls of the table that failed.', [{}]);
  const errors = count('evalgate_log_errors_total', 'Lines of level warn and error in the log, by code.');

  const seen: Log = (level, code, fields = {}) => {
    const provider = oneOf(PROVIDERS, fields.provider);
    if (code === 'run_ended') runs.add({ verdict: oneOf(VERDICTS, fields.verdict) });
    if (code === 'judge_slots') slots.add({ provider }, Number(fields.change));
    if (code === 'case_judged') judged.add({ provider, outcome: oneOf(OUTCOMES, fields.outcome) });
    if (level === 'warn' || level === 'error') errors.add({ code });
  };

  const metrics: readonly Metric[] = [
    gauge('evalgate_build_info', 'Versions of evalgate and Node.', BUILD, () => 1),
    requests,
    runs,
    ...queueMetrics(queues),
    slots,
    judged,
    storage,
    errors,
  ];
  return {
    countAnswer: (route: string, status: number): void => requests.add({ route, status: String(status) }),
    /** The same runtime. Its log, of every level, and its table are counted. */
    watch: (runtime: Runtime): Runtime => ({
      ...runtime,
      table: watchedTable(runtime.table, () => storage.add({})),
      log(level, code, fields) {
        seen(level, code, fields);
        runtime.log(level, code, fields);
      },
    }),
    text: (): string => exposition(metrics),
  };
}

const gauge = (name: string, help: string, labels: Record<string, string>, value: () => number): Metric => ({
  name,
  type: 'gauge',
  help,
  values: () => new Map([[written(labels), value()]]),
});

/** Another SQS engine has metrics of its own. */
function queueMetrics({ countsOf, runs, deadLetters }: LocalQueues): Metric[] {
  if (countsOf === undefined) return [];
  const ageSeconds = (): number => countsOf(runs.url).ageMs / 1_000;
  const dead = (): number => countsOf(deadLetters.url).ready + countsOf(deadLetters.url).inFlight;
  return [
    gauge('evalgate_queue_age_seconds', 'Age of the oldest message that is not handled.', {}, ageSeconds),
    gauge(
      'evalgate_queue_depth',
      'Messages that no evaluator has taken.',
      {},
      () => countsOf(runs.url).ready,
    ),
    gauge('evalgate_dead_letters', 'Messages that failed for good.', {}, dead),
  ];
}

/** Conditions that fail are answers: what rejects is an error. */
const watchedTable = (table: Table, onError: () => void): Table =>
  new Proxy(table, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const answer = Reflect.apply(value, target, given);
        if (answer instanceof Promise) answer.catch(onError);
        return answer;
      };
    },
  });
