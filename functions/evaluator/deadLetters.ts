import { endDeadLetter } from '../../shared/domain/evaluation/deadLetter.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { evaluationStore } from '../../shared/storage/evaluation/evaluations.ts';
import { checkStore } from '../../shared/storage/judgeChecks/checks.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';

export const handler = queueConsumer({
  dependencies: ({ table, now, newId }) => ({
    evaluations: evaluationStore(table, now),
    chains: chainStore(table),
    checks: checkStore(table),
    now,
    newId,
  }),
  handle: (message, deps) => endDeadLetter(deps, message),
  invalid: 'drop',
});
