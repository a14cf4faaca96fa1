import { sweepPendingRuns } from '../../shared/domain/evaluation/sweep.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { evaluationStore } from '../../shared/storage/evaluations.ts';
import { planningStore } from '../../shared/storage/planning.ts';

/** Once a minute. `detail.nudgeAfterMs` asks for younger pending runs too, as after a queue forgot its messages. */
export const handler = schedule({
  dependencies: ({ table, now, newId, config }) => ({
    evaluations: evaluationStore(table, now),
    planning: planningStore(table),
    queue: queueFromConfig(config),
    now,
    newId,
  }),
  handle: (detail, deps) => sweepPendingRuns(deps, detail),
});
