import { loggedConclusions } from '../../shared/domain/evaluation/loggedConclusions.ts';
import { sweepPendingRuns } from '../../shared/domain/evaluation/sweeping/sweep.ts';
import { countedQueueFromConfig } from '../../shared/queue/fromConfig.ts';
import { schedule } from '../../shared/queue/schedule.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { evaluationStore } from '../../shared/storage/evaluation/evaluations.ts';
import { ALL_PENDING_SHARDS } from '../../shared/storage/evaluation/pendingRuns.ts';
import { positionStore } from '../../shared/storage/lists/positions.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';

/**
 * Once a minute, for one shard of pending runs or for all. `detail.remindAfterMs` asks for younger runs too, as after
 * a queue forgot its messages.
 */
export const handler = schedule({
  dependencies: ({ table, now, newId, config, log }) => ({
    evaluations: loggedConclusions(evaluationStore(table, now), (run_id, verdict) =>
      log('info', 'run_ended', { run_id, verdict }),
    ),
    chains: chainStore(table),
    positions: positionStore(table, now),
    queue: countedQueueFromConfig(config),
    now,
    newId,
    log,
    onFailure: (error: unknown, runId: string) =>
      log('error', 'run_unswept', { run_id: runId, ...describeError(error) }),
  }),
  async handle({ shard, remindAfterMs }, { log, ...deps }) {
    const shards = shard === undefined ? ALL_PENDING_SHARDS : [shard];
    const swept = await sweepPendingRuns(deps, shards, { remindAfterMs });
    const isNews = Object.values(swept).some((count) => count > 0);
    log(isNews ? 'info' : 'debug', 'sweep_completed', { ...swept, ...(shard !== undefined && { shard }) });
    return swept;
  },
});
