import { endDeadLetter } from '../../shared/domain/evaluation/deadLetter.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { evaluationStore } from '../../shared/storage/evaluations.ts';
import { planningStore } from '../../shared/storage/planning.ts';

export const handler = queueConsumer({
  dependencies: ({ table, now, newId }) => ({
    evaluations: evaluationStore(table, now),
    planning: planningStore(table),
    now,
    newId,
  }),
  handle: (message, deps) => endDeadLetter(deps, message),
  invalid: 'drop',
});
