import { createRun } from '../../shared/contracts/runs.ts';
import { loggedCommits } from '../../shared/domain/runs/loggedCommits.ts';
import { withTraces } from '../../shared/domain/runs/outputs/traces.ts';
import { createQuotaGuard } from '../../shared/domain/runs/refusals/quota.ts';
import { verdictAnswer, withoutScores } from '../../shared/domain/runs/results/verdictAnswer.ts';
import { submitRun } from '../../shared/domain/runs/submit.ts';
import { createSuiteCache } from '../../shared/domain/runs/suiteCache.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import { createSuiteDigests } from '../../shared/domain/suites/digests/knownDigests.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { describeError } from '../../shared/runtime/log.ts';
import { sleep } from '../../shared/runtime/sleep.ts';
import { relativeStores } from '../../shared/storage/baseline/relative.ts';
import { waitingChunkReader } from '../../shared/storage/evaluation/waitingChunkReader.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { idempotencyStore } from '../../shared/storage/runs/idempotency.ts';
import { runStore } from '../../shared/storage/runs/runs.ts';
import { usageStore } from '../../shared/storage/runs/usage.ts';
import { knownDigestStore } from '../../shared/storage/suites/knownDigests.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(createRun, {
  dependencies: ({ table, now, newId, config, log }) => {
    const suites = suiteReader(table);
    const judgeIdentity = createJudgeIdentity(defaultModelsFromEnv(process.env));
    return {
      projects: projectReader(table),
      suites,
      chains: chainStore(table),
      atOneMoment: createAtOneMoment({ suites }),
      digestOfSuite: createSuiteDigests({ digests: knownDigestStore(table), judgeIdentity }),
      ...relativeStores(table, judgeIdentity),
      suiteCache: createSuiteCache(),
      runs: loggedCommits(runStore(table, newId), (run_id, verdict) =>
        log('info', 'run_ended', { run_id, verdict }),
      ),
      quotaGuard: createQuotaGuard(usageStore(table)),
      idempotency: idempotencyStore(table, now),
      waitingChunks: waitingChunkReader(table),
      queue: queueFromConfig(config),
      onUnsent: (error: unknown, run_id: string) =>
        log('error', 'message_unsent', { run_id, ...describeError(error) }),
      now,
      newId,
      sleep,
    };
  },
  handle: async ({ principal, headers, body }, deps) => {
    const { executed, replayed } = await submitRun(
      deps,
      principal,
      await withTraces(body),
      headers['idempotency-key'],
    );
    return { ...verdictAnswer(executed), ...(replayed && { headers: { 'idempotency-replayed': 'true' } }) };
  },
  runOf: (_, { body }) => body.id,
  shorten: [(answer) => ({ ...answer, ...withoutScores(answer.body) })],
});
