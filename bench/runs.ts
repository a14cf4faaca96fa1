import type { Api } from '../test/support/api.ts';
import { apiFromMany } from '../test/support/fromAddress.ts';
import { type RunningService, startService } from '../test/support/service.ts';
import { signUpEnterprise } from './enterprise.ts';
import { type BenchResult, median, type Row } from './result.ts';
import { benchRunPages } from './runPages.ts';
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

/** Whole runs through the real service: HTTP, handlers, embedded engine. */
export async function benchRuns(): Promise<BenchResult> {
  const service = await startService({ env: { RATE_LIMITS: 'on' } });
  try {
    const client = await signUpEnterprise(service, apiFromMany);
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
    rows.push(...(await benchRunPages()));
    return { name: 'runs', rows };
  } finally {
    await service.stop();
  }
}
