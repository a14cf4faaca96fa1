import { handler as evaluate } from '../../functions/evaluator/evaluate.ts';
import type { WorkMessage } from '../../shared/domain/messages.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { createRuntime } from '../../shared/runtime/runtime.ts';
import { createTable } from '../../shared/storage/table/dynamoTable.ts';
import { invokeByHand } from '../../test/support/evaluatorByHand.ts';
import { TABLE_NAME } from '../../test/support/ownService.ts';

/** What it took to handle a message and all that followed. */
export interface Handled {
  readonly read: number;
  readonly write: number;
  readonly idleBytes: number;
  readonly peakBytes: number;
}

/** An evaluator alone in its process. It handles one message and those that follow, one after the other. */
const [endpoint = '', VAULT_KEY_FILE = ''] = process.argv.slice(2);
const config = readConfig({
  TABLE_NAME,
  DYNAMODB_ENDPOINT: endpoint,
  VAULT_KEY_FILE,
  SQS_ENDPOINT: 'http://127.0.0.1:9',
  QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
});
const table = createTable({ name: TABLE_NAME, endpoint, now: Date.now });
const messages: WorkMessage[] = [];
const queue = { send: async (sent: readonly WorkMessage[]) => void messages.push(...sent) };
const handler = evaluate.withRuntime(createRuntime(config, { table, log: () => {} }), { queue });
const peak = () => process.resourceUsage().maxRSS * 1_024;

process.once('disconnect', () => process.exit(1));
process.once('message', async (first: WorkMessage) => {
  const idleBytes = peak();
  for (let next: WorkMessage | undefined = first; next !== undefined; next = messages.shift()) {
    if (!(await invokeByHand(handler, next))) throw new Error(`${next.kind} failed`);
  }
  const handled: Handled = { ...table.consumed(), idleBytes, peakBytes: peak() };
  process.send?.(handled, () => process.exit());
});
process.send?.('ready');
