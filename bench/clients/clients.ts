import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NODE } from '../../test/support/processes.ts';
import { startService } from '../../test/support/service.ts';
import { type Bench, median, type Row } from '../result.ts';
import { type CommandLine, makeCommandLine, makeServedSuite, type Served } from './commands.ts';
import { dashboardRows } from './dashboard.ts';
import { runPageRows } from './runPage.ts';
import { sizeRows } from './sizes.ts';

const SIZE = {
  full: { rounds: 25, warmUps: 3, asks: 5, cases: 100, results: 10_000 },
  smallest: { rounds: 1, warmUps: 0, asks: 1, cases: 2, results: 20 },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];

const BARE = 'bare Node';
const RUN = ['run', 'returns', '--outputs', 'answers.jsonl'];

/** What is timed beside bare Node, and the most that it may take of its time. */
interface Timed {
  readonly metric: string;
  readonly atMost?: number;
  /** Milliseconds. */
  readonly time: () => number | Promise<number>;
}

function timedOf(program: CommandLine, { cases }: Sizes, url: string, { apiKey, serve }: Served): Timed[] {
  const env = { EVALGATE_URL: url, EVALGATE_API_KEY: apiKey };
  return [
    { metric: 'evalgate --help', atMost: 1.8, time: () => program.run(['--help']) },
    { metric: `evalgate validate, ${cases} cases`, atMost: 4, time: () => program.run(['validate']) },
    {
      metric: `evalgate run, ${cases} outputs, without the service's time`,
      atMost: 5,
      time: async () => program.run(RUN, env) - (await serve()),
    },
  ];
}

/** Each next to bare Node, in rounds, so that other load on the machine affects both alike. */
async function rowsOf(
  program: CommandLine,
  timed: readonly Timed[],
  { rounds, warmUps }: Sizes,
): Promise<Row[]> {
  const bare: number[] = [];
  const took = new Map<string, { ms: number[]; ratios: number[] }>();
  for (let round = -warmUps; round < rounds; round++) {
    for (const { metric, time } of timed) {
      const beside = program.bare();
      const ms = await time();
      if (round < 0) continue;
      bare.push(beside);
      const timings = took.get(metric) ?? { ms: [], ratios: [] };
      timings.ms.push(ms);
      timings.ratios.push(ms / beside);
      took.set(metric, timings);
    }
  }
  const rows = timed.flatMap(({ metric, atMost }): Row[] => {
    const { ms = [], ratios = [] } = took.get(metric) ?? {};
    const ratio = { metric: `${metric} / ${BARE}`, value: median(ratios), unit: 'ratio' };
    return [
      { metric, value: median(ms), unit: 'ms' },
      atMost === undefined ? ratio : { ...ratio, bound: { atMost } },
    ];
  });
  return [{ metric: BARE, value: median(bare), unit: 'ms' }, ...rows];
}

const ASK = ['ask', 'returns', '--overwrite', '--jobs', '1', '--', NODE, 'bare.mjs'];

/** A command that does nothing for each case, beside a shell that runs it as often. */
function askRows(program: CommandLine, { asks, cases }: Sizes, env: Readonly<Record<string, string>>): Row[] {
  const ratios = Array.from({ length: asks }, () => {
    const alone = program.bareTimes(cases);
    return program.run(ASK, env) / alone;
  });
  const metric = `evalgate ask, ${cases} instant commands / these commands by a shell`;
  return [{ metric, value: median(ratios), unit: 'ratio', bound: { atMost: 1.5 } }];
}

/** Measures the command line as users get it, as processes, the sizes of what is shipped, and a page in a browser. */
export const benchClients: Bench = async (size) => {
  const sizes: Sizes = SIZE[size];
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-clients-'));
  const service = await startService();
  try {
    const program = await makeCommandLine(folder, sizes.cases);
    const served = await makeServedSuite(service.baseUrl, sizes.cases);
    const timed = timedOf(program, sizes, service.baseUrl, served);
    const env = { EVALGATE_URL: service.baseUrl, EVALGATE_API_KEY: served.apiKey };
    const rows = [...(await rowsOf(program, timed, sizes)), ...askRows(program, sizes, env)];
    const sizesOfFiles = [...(await sizeRows(path.join(folder, 'evalgate'))), ...(await dashboardRows())];
    return [...rows, ...sizesOfFiles, ...(await runPageRows(service.baseUrl, sizes))];
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
