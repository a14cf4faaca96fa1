import { handleMessage } from '../../shared/domain/evaluation/handleMessage.ts';
import { loggedConclusions } from '../../shared/domain/evaluation/loggedConclusions.ts';
import { createSeats } from '../../shared/domain/evaluation/slots/seats.ts';
import { createSlots } from '../../shared/domain/evaluation/slots/slots.ts';
import { createProveJudges } from '../../shared/domain/runs/judgeProof.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import { createSuiteDigests } from '../../shared/domain/suites/digests/knownDigests.ts';
import { createJudge } from '../../shared/judge/judge.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { loggedJudge } from '../../shared/judge/loggedJudge.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { queueFromConfig } from '../../shared/queue/fromConfig.ts';
import { sleep } from '../../shared/runtime/sleep.ts';
import { byokKeyStore } from '../../shared/storage/accounts/byokKeys.ts';
import { keyTestStore } from '../../shared/storage/accounts/keyTestAnswers.ts';
import { relativeStores } from '../../shared/storage/baseline/relative.ts';
import { retentionStore } from '../../shared/storage/billing/retention.ts';
import { evaluationStore } from '../../shared/storage/evaluation/evaluations.ts';
import { slotStore } from '../../shared/storage/evaluation/slots.ts';
import { waitingChunkStore } from '../../shared/storage/evaluation/waitingChunks.ts';
import { checkStore } from '../../shared/storage/judgeChecks/checks.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { knownDigestStore } from '../../shared/storage/suites/knownDigests.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';
import { vaultFromConfig } from '../../shared/vault/fromConfig.ts';

export const handler = queueConsumer({
  dependencies: ({ table, now, newId, config, log }) => {
    const random = Math.random;
    const judgeSettings = judgeSettingsFromEnv(process.env);
    const judgeIdentity = createJudgeIdentity(judgeSettings);
    const slots = slotStore(table, now, random);
    const suites = suiteReader(table);
    const checks = checkStore(table);
    return {
      evaluations: loggedConclusions(evaluationStore(table, now), (run_id, verdict) =>
        log('info', 'run_ended', { run_id, verdict }),
      ),
      chains: chainStore(table),
      digestOfSuite: createSuiteDigests({ digests: knownDigestStore(table), judgeIdentity }),
      nameJudge: judgeIdentity,
      ...relativeStores(table, judgeIdentity),
      retention: retentionStore(table, now),
      keyTests: keyTestStore(table, now),
      checks,
      proveJudges: createProveJudges({ checks, nameJudge: judgeIdentity }),
      projects: projectReader(table),
      suites,
      atOneMoment: createAtOneMoment({ suites }),
      byokKeys: byokKeyStore(table),
      vault: vaultFromConfig(config),
      judge: loggedJudge(createJudge(judgeSettings), (provider, outcome) =>
        log('info', 'case_judged', { provider, outcome }),
      ),
      withSlot: createSlots({
        slots,
        newId,
        sleep,
        random,
        now,
        onChange: (provider, change) => log('debug', 'judge_slots', { provider, change }),
      }),
      seats: createSeats({ slots, newId, now }),
      waitingChunks: waitingChunkStore(table, now),
      queue: queueFromConfig(config),
      newDelimiter: () => newId().replaceAll('-', ''),
      random,
      sleep,
      now,
      newId,
    };
  },
  handle: handleMessage,
});
