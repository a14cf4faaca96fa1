import { sweepPendingRuns } from '../../shared/domain/evaluation/sweep.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { evaluationStore } from '../../shared/storage/evaluation/evaluations.ts';
import { planningStore } from '../../shared/storage/suites/planning.ts';

/** Once a minute. `detail.nudgeAfterMs` asks for younger pending runs too, as after a queue forgot its messages. */
export const handler = schedule({
  dependencies: ({ table, now, newId, config, log }) => ({
    evaluations: evaluationStore(table, now),
    planning: planningStore(table),
    queue: queueFromConfig(config),
    now,
    newId,
    log,
    onFailure: (error: unknown, runId: string) =>
      log('error', 'run_unswept', { run_id: runId, ...describeError(error) }),
  }),
  async handle(detail, { log, ...deps }) {
    const swept = await sweepPendingRuns(deps, detail);
    const isNews = Object.values(swept).some((count) => count > 0);
    log(isNews ? 'info' : 'debug', 'sweep_completed', { ...swept });
    return swept;
  },
});
