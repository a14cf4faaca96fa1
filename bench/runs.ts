import { type Api, signUp } from '../test/support/api.ts';
import { type RunningService, startService } from '../test/support/service.ts';
import { type BenchResult, median, type Row } from './result.ts';
import { makeSuite, OUTPUT } from './suite.ts';

interface LogLine {
  readonly endpoint?: string;
  readonly read_units: number;
  readonly write_units: number;
}

/** The service's own log lines of one endpoint, the newest last. */
function logged(service: RunningService, endpoint: string): LogLine[] {
  const lines = service.stderr().split('\n');
  return lines
    .filter((line) => line.includes(`"endpoint":"${endpoint}"`))
    .map((line) => JSON.parse(line) as LogLine);
}

async function run(client: Api, suite: string, nth = 0): Promise<void> {
  const answer = await client('POST', '/v1/run', { suite, output: `${OUTPUT} Ticket ${nth}.` });
  if (answer.status !== 200) throw new Error(`run: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Request units of the second and later runs, as the engine reports them. */
async function unitsPerRun(
  service: RunningService,
  client: Api,
  suite: { slug: string },
  cases: number,
): Promise<Row[]> {
  for (let nth = 0; nth < 4; nth++) await run(client, suite.slug, nth);
  const warm = logged(service, 'runs/create').slice(-3);
  const bounds =
    cases === 100 ? { read: { bound: '<= 3' }, write: { bound: '<= 8' } } : { read: {}, write: {} };
  const metric = `warm sync run, ${cases} cases`;
  return [
    { metric, value: median(warm.map((line) => line.read_units)), unit: 'read units', ...bounds.read },
    { metric, value: median(warm.map((line) => line.write_units)), unit: 'write units', ...bounds.write },
  ];
}

/** Runs a second with so many clients at once, and the middle one of their waiting times. */
async function throughput(client: Api, suite: string, clients: number, seconds: number): Promise<Row[]> {
  const waits: number[] = [];
  const start = performance.now();
  const worker = async () => {
    while (performance.now() - start < seconds * 1_000) {
      const sent = performance.now();
      await run(client, suite);
      waits.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, worker));
  const perSecond = waits.length / ((performance.now() - start) / 1_000);
  const metric = `sync run over HTTP, 100 cases, ${clients} client${clients > 1 ? 's' : ''}`;
  return [
    { metric, value: perSecond, unit: 'runs/s', bound: clients === 1 ? '>= 100' : '>= 200' },
    { metric, value: median(waits), unit: 'ms p50', ...(clients === 1 && { bound: '<= 10' }) },
  ];
}

/** A deep page of a suite's runs against the first one, in units and in time. */
async function pages(service: RunningService, client: Api, suiteId: string): Promise<Row[]> {
  const first = await client('GET', `/v1/suites/${suiteId}/runs?page=1&pageSize=2`);
  const depth = Math.min(500, Math.floor(first.body.pagination.total / 2));
  const timed = async (page: number) => {
    const waits: number[] = [];
    for (let repeat = 0; repeat < 30; repeat++) {
      const sent = performance.now();
      await client('GET', `/v1/suites/${suiteId}/runs?page=${page}&pageSize=2`);
      waits.push(performance.now() - sent);
    }
    const units = logged(service, 'runs/list')
      .slice(-30)
      .map((line) => line.read_units);
    return { wait: median(waits), units: median(units) };
  };
  const [shallow, deep] = [await timed(1), await timed(depth)];
  const metric = `page ${depth} of a suite's runs against page 1`;
  return [
    { metric, value: deep.units / shallow.units, unit: 'x read units', bound: '<= 3' },
    { metric, value: deep.wait / shallow.wait, unit: 'x time', bound: '<= 3' },
  ];
}

/** Whole runs through the real service: HTTP, handlers, embedded engine. */
export async function benchRuns(): Promise<BenchResult> {
  const service = await startService();
  try {
    const client = await signUp(service.baseUrl, 'Bench');
    const rows: Row[] = [];
    for (const cases of [10, 400])
      rows.push(...(await unitsPerRun(service, client, await makeSuite(client, cases), cases)));
    const suite = await makeSuite(client, 100);
    rows.push(...(await unitsPerRun(service, client, suite, 100)));
    for (let nth = 0; nth < 20; nth++) await run(client, suite.slug, nth);
    rows.push(
      ...(await throughput(client, suite.slug, 1, 5)),
      ...(await throughput(client, suite.slug, 4, 5)),
    );
    rows.push(...(await pages(service, client, suite.id)));
    return { name: 'runs', rows };
  } finally {
    await service.stop();
  }
}
