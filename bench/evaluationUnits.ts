import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { handler as evaluate } from '../functions/evaluator/evaluate.ts';
import type { WorkMessage } from '../shared/domain/messages.ts';
import { readConfig } from '../shared/runtime/config.ts';
import { createRuntime } from '../shared/runtime/runtime.ts';
import { makeGate } from '../test/functions/runs/gate.ts';
import { invokeByHand } from '../test/support/evaluatorByHand.ts';
import { startEngineService, TABLE_NAME } from '../test/support/ownService.ts';
import { temporaryFolder } from '../test/support/service.ts';
import { submit } from '../test/support/stage.ts';
import { fillGate } from './suite.ts';

/** Request units per case of one async run: admission and evaluation, one message after the other. */
export async function unitsPerCase(cases: number): Promise<number> {
  const service = await startEngineService();
  const folder = temporaryFolder();
  try {
    const keyFile = path.join(folder, 'vault-key');
    writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
    const { table } = service;
    const config = readConfig({
      TABLE_NAME,
      DYNAMODB_ENDPOINT: service.endpoint,
      VAULT_KEY_FILE: keyFile,
      SQS_ENDPOINT: 'http://127.0.0.1:9',
      QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
    });
    const messages: WorkMessage[] = [];
    const queue = { send: async (sent: readonly WorkMessage[]) => void messages.push(...sent) };
    const handler = evaluate.withRuntime(createRuntime(config, { table, log: () => {} }), { queue });
    const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
    const output = await fillGate(gate, table, cases);

    const before = table.consumed();
    const run_id = await submit(gate.client, { suite: gate.suite.slug, output });
    messages.push({ kind: 'plan', org_id: gate.project.org_id, run_id });
    for (let next = messages.shift(); next !== undefined; next = messages.shift()) {
      if (!(await invokeByHand(handler, next))) throw new Error(`${next.kind} failed`);
    }
    const after = table.consumed();
    const { data } = (await gate.client('GET', `/v1/runs/${run_id}`)).body;
    if (data.status !== 'cleared' || data.total_cases !== cases) throw new Error(JSON.stringify(data));
    return (after.read + after.write - before.read - before.write) / cases;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}
