import { endDeadLetter } from '../../shared/domain/evaluation/deadLetter.ts';
import { loggedConclusions } from '../../shared/domain/evaluation/loggedConclusions.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { evaluationStore } from '../../shared/storage/evaluation/evaluations.ts';
import { checkStore } from '../../shared/storage/judgeChecks/checks.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';

export const handler = queueConsumer({
  dependencies: ({ table, now, newId, log }) => ({
    evaluations: loggedConclusions(evaluationStore(table, now), (run_id, verdict) =>
      log('info', 'run_ended', { run_id, verdict }),
    ),
    chains: chainStore(table),
    checks: checkStore(table),
    now,
    newId,
  }),
  handle: (message, deps) => endDeadLetter(deps, message),
  invalid: 'drop',
});
