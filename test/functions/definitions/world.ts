import { randomUUID } from 'node:crypto';
import { handler as signUp } from '../../../functions/auth/signup.ts';
import { handler as createProject } from '../../../functions/projects/create.ts';
import { handler as listScorers } from '../../../functions/scorers/list.ts';
import { handler as createSuite } from '../../../functions/suites/create.ts';
import type { HttpHandler } from '../../../shared/http/endpoint.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { createRuntime, type Runtime } from '../../../shared/runtime/runtime.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { direct } from '../../faults/fixtures.ts';
import { type Call, contextOf, eventOf } from '../../faults/functions.ts';
import { MemoryTable } from '../../support/memory/memoryTable.ts';

/** The handlers on a table in memory, with project `bot` and an empty suite `returns`. */
export interface World {
  readonly runtime: Runtime;
  readonly orgId: string;
  readonly key: string;
  readonly suiteId: string;
  scorerId(key: string): Promise<string>;
}

export async function makeWorld(now = Date.now): Promise<World> {
  const table = new MemoryTable(now);
  const config = readConfig({
    TABLE_NAME: 'memory',
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
    RATE_LIMITS: 'off',
    QUEUE_URL: 'http://127.0.0.1:9/000000000000/evaluations',
  });
  const runtime = createRuntime(config, { table, now, newId: randomUUID, log: () => {} });
  const { organisation, api_key } = (await direct(signUp.withRuntime(runtime), { body: { name: 'O' } })).data;
  const { key } = api_key;
  await direct(createProject.withRuntime(runtime), { body: { name: 'Bot', slug: 'bot' } }, key);
  const made = { params: { slug: 'bot' }, body: { name: 'Returns', slug: 'returns' } };
  const suite = (await direct(createSuite.withRuntime(runtime), made, key)).data;
  return {
    runtime,
    key,
    suiteId: suite.id,
    orgId: organisation.id,
    async scorerId(wanted) {
      const { data } = await direct(listScorers.withRuntime(runtime), { params: { slug: 'bot' } }, key);
      return data.find((scorer: { key: string }) => scorer.key === wanted).id;
    },
  };
}

/** One request, whatever it is answered. */
export async function call(
  handler: { withRuntime(runtime: Runtime): HttpHandler },
  { runtime, key }: World,
  sent: Call,
) {
  const answer = await handler.withRuntime(runtime)(eventOf(sent, key), contextOf('direct'));
  return { status: answer.statusCode ?? 0, body: JSON.parse(answer.body || '{}') };
}

/** The same world, seen through another table. */
export const inTable = (at: World, table: Table): World => ({ ...at, runtime: { ...at.runtime, table } });
