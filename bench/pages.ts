import { randomUUID } from 'node:crypto';
import { timestamp } from '../shared/domain/time.ts';
import { chunksOf } from '../shared/storage/table/batches.ts';
import { runKey, suiteHeadKey } from '../shared/storage/table/keys.ts';
import type { Table, Write } from '../shared/storage/table/table.ts';
import { type Gate, makeGate } from '../test/functions/runs/gate.ts';
import { costOf, type EngineService, startEngineService } from '../test/support/ownService.ts';
import { type Bench, median, type Row } from './result.ts';
import { fillGate } from './suite.ts';

const SIZE = {
  full: { runs: 50_000, cases: 100, repeats: 15, page: 500 },
  smallest: { runs: 200, cases: 4, repeats: 1, page: 2 },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];
const BETWEEN_RUNS_MS = 1_000;
/** DynamoDB's limit of a transaction. */
const RUNS_A_TRANSACTION = 100;

/** Copies the suite's only run under `count` numbers, as if there had been a run each second. */
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

async function costOfPage(
  service: EngineService,
  { client, suite }: Gate,
  { runs, repeats }: Sizes,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const read = async () => {
    const { body } = await client('GET', `/v1/suites/${suite.id}/runs?page=${page}&pageSize=${pageSize}`);
    const { total } = body.pagination;
    if (total !== runs || body.data.length !== pageSize) throw new Error(`page ${page} is not whole`);
  };
  const { read: units } = await costOf(service, read);
  const waits: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const sent = performance.now();
    await read();
    waits.push(performance.now() - sent);
  }
  return { units, ms: median(waits) };
}

function rowsOf(metric: string, first: PageCost, deep: PageCost): Row[] {
  return [
    { metric, value: deep.units, unit: 'read units' },
    {
      metric: `${metric} against page 1`,
      value: deep.units / first.units,
      unit: 'x read units',
      bound: { atMost: 1 },
    },
    { metric: `${metric} against page 1`, value: deep.ms / first.ms, unit: 'x time', bound: { atMost: 3 } },
  ];
}

/** Measures pages of a suite's 50,000 runs at several depths. */
export const benchPages: Bench = async (size) => {
  const sizes: Sizes = SIZE[size];
  const { runs, cases } = sizes;
  const service = await startEngineService();
  try {
    const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
    await gate.run(await fillGate(gate, service.table, cases));
    await multiplyRun(service.table, gate, runs);
    const rows: Row[] = [];
    for (const pageSize of [20, 100]) {
      const costOf = (page: number) => costOfPage(service, gate, sizes, { page, pageSize });
      const metric = (page: number) => `page ${page} of ${runs} runs by ${pageSize}`;
      const first = await costOf(1);
      rows.push({ metric: metric(1), value: first.units, unit: 'read units' });
      for (const page of new Set([sizes.page, runs / pageSize])) {
        rows.push(...rowsOf(metric(page), first, await costOf(page)));
      }
    }
    return rows;
  } finally {
    await service.stop();
  }
};
