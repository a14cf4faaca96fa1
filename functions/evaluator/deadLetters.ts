import { endDeadLetter } from '../../shared/domain/evaluation/deadLetter.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { evaluationStore } from '../../shared/storage/evaluations.ts';

export const handler = queueConsumer({
  dependencies: ({ table, now, newId }) => ({ evaluations: evaluationStore(table, now), now, newId }),
  handle: (message, deps) => endDeadLetter(deps, message),
  invalid: 'drop',
});
