import { randomUUID } from 'node:crypto';
import { timestamp } from '../shared/domain/time.ts';
import { chunksOf } from '../shared/storage/chunks.ts';
import { runKey, suiteHeadKey } from '../shared/storage/keys.ts';
import type { Table, Write } from '../shared/storage/table.ts';
import { type Gate, makeGate } from '../test/functions/runs/gate.ts';
import { costOf, type OwnService, startOwnService } from '../test/support/ownService.ts';
import { median, type Row } from './result.ts';
import { fillGate } from './suite.ts';

const RUNS = 50_000;
const CASES = 100;
const REPEATS = 15;
const BETWEEN_RUNS_MS = 1_000;
/** The most that a transaction takes. */
const RUNS_A_TRANSACTION = 100;

/** As if the suite's one run had been the last of so many, one a second: its item under every number. */
async function multiplyRun(table: Table, { project, suite }: Gate, count: number): Promise<void> {
  const { org_id: orgId } = project;
  const item = await table.get(runKey(orgId, suite.id, 1));
  if (item === undefined) throw new Error('the suite has no run');
  const lastMs = Date.parse(String(item.created_at));
  const copy = (number: number): Write => {
    const at = timestamp(lastMs - (count - number) * BETWEEN_RUNS_MS);
    const own = {
      ...runKey(orgId, suite.id, number),
      created_at: at,
      completed_at: at,
      attempt: randomUUID(),
    };
    return { Put: { Item: { ...item, ...own } } };
  };
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (const chunk of chunksOf(numbers, RUNS_A_TRANSACTION)) {
    const writes = chunk.map((number): [string, Write] => [String(number), copy(number)]);
    const { committed } = await table.transact(Object.fromEntries(writes));
    if (!committed) throw new Error('runs were not written');
  }
  await table.update({
    Key: suiteHeadKey(orgId, suite.slug, project.id),
    UpdateExpression: 'SET run_count = :count, last_run_at = :at',
    ExpressionAttributeValues: { ':count': count, ':at': timestamp(lastMs) },
  });
}

interface PageCost {
  readonly units: number;
  readonly ms: number;
}

async function costOfPage(service: OwnService, { client, suite }: Gate, page: number, pageSize: number) {
  const read = async () => {
    const { body } = await client('GET', `/v1/suites/${suite.id}/runs?page=${page}&pageSize=${pageSize}`);
    const { total } = body.pagination;
    if (total !== RUNS || body.data.length !== pageSize) throw new Error(`page ${page} is not whole`);
  };
  const { read: units } = await costOf(service, read);
  const waits: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const sent = performance.now();
    await read();
    waits.push(performance.now() - sent);
  }
  return { units, ms: median(waits) };
}

function rowsOf(pageSize: number, page: number, first: PageCost, deep: PageCost): Row[] {
  const metric = `page ${page} of ${RUNS} runs by ${pageSize}`;
  return [
    { metric, value: deep.units, unit: 'read units' },
    {
      metric: `${metric} against page 1`,
      value: deep.units / first.units,
      unit: 'x read units',
      bound: '<= 3',
    },
    { metric: `${metric} against page 1`, value: deep.ms / first.ms, unit: 'x time', bound: '<= 3' },
  ];
}

/** Pages of a suite that ran 50,000 times, at any depth. */
export async function benchRunPages(): Promise<Row[]> {
  const service = await startOwnService();
  try {
    const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
    await gate.run(await fillGate(gate, service.table, CASES));
    await multiplyRun(service.table, gate, RUNS);
    const rows: Row[] = [];
    for (const pageSize of [20, 100]) {
      const first = await costOfPage(service, gate, 1, pageSize);
      rows.push({ metric: `page 1 of ${RUNS} runs by ${pageSize}`, value: first.units, unit: 'read units' });
      for (const page of new Set([500, RUNS / pageSize])) {
        rows.push(...rowsOf(pageSize, page, first, await costOfPage(service, gate, page, pageSize)));
      }
    }
    return rows;
  } finally {
    await service.stop();
  }
}
