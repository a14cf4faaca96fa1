import { handler as evaluate } from '../../functions/evaluator/evaluate.ts';
import type { WorkMessage } from '../../shared/domain/messages.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { createRuntime } from '../../shared/runtime/runtime.ts';
import { createTable } from '../../shared/storage/table/dynamoTable.ts';
import { invokeByHand } from './evaluatorByHand.ts';
import { TABLE_NAME } from './ownService.ts';

/** An evaluator alone in its process. It handles one message and those that follow, one after the other. */
const [endpoint = '', VAULT_KEY_FILE = '', first = ''] = process.argv.slice(2);
const config = readConfig({
  TABLE_NAME,
  DYNAMODB_ENDPOINT: endpoint,
  VAULT_KEY_FILE,
  SQS_ENDPOINT: 'http://127.0.0.1:9',
  QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
});
const table = createTable({ name: TABLE_NAME, endpoint, now: Date.now });
const messages: WorkMessage[] = [JSON.parse(first)];
const queue = { send: async (sent: readonly WorkMessage[]) => void messages.push(...sent) };
const handler = evaluate.withRuntime(createRuntime(config, { table, log: () => {} }), { queue });
for (let next = messages.shift(); next !== undefined; next = messages.shift()) {
  if (!(await invokeByHand(handler, next))) throw new Error(`${next.kind} failed`);
}
process.exit();
