import { signUp } from '../../test/support/api.ts';
import { startEngineTable, TABLE_NAME } from '../../test/support/ownService.ts';
import { type RunningService, startService } from '../../test/support/service.ts';
import { processorMs } from '../floor/processorTime.ts';
import { loggedUnits } from '../loggedUnits.ts';
import { type Bench, type Bound, median, type Row } from '../result.ts';
import { answeredGate, type Kind, sentBy } from './answers.ts';
import { queuedRows } from './queuedRuns.ts';

const SIZE = {
  full: { cases: [100, 1_000], rounds: 12, runsEach: 3, queued: [100, 1_000, 10_000] },
  smallest: { cases: [4], rounds: 2, runsEach: 1, queued: [4, 8] },
} as const;
type Sizes = (typeof SIZE)[keyof typeof SIZE];
const KINDS: readonly Kind[] = ['one output', 'own outputs'];
/** Of runs of 100 cases that clear, beside the unit of the rate limit. */
const WRITE_UNITS: Readonly<Record<Kind, number>> = { 'one output': 7, 'own outputs': 11 };
const BOUND_CASES = 100;

interface Waits {
  readonly ms: number[];
  /** Of the service's processor, a run. */
  readonly processorMs: number[];
}

interface Setup {
  readonly service: RunningService;
  readonly table: Parameters<typeof answeredGate>[0]['table'];
}

/** One output and outputs of their own in turn, so that other load on the machine affects both alike. */
async function besideEachOther({ service, table }: Setup, cases: number, sizes: Sizes): Promise<Row[]> {
  const { baseUrl } = service;
  const gate = await answeredGate({ baseUrl, table, client: await signUp(baseUrl) }, cases);
  const waits = new Map<Kind, Waits>(KINDS.map((kind) => [kind, { ms: [], processorMs: [] }]));
  const units = new Map<Kind, ReturnType<typeof loggedUnits>>();
  let run = 0;
  for (let round = 0; round < sizes.rounds; round++) {
    for (const [kind, { ms, processorMs: spent }] of waits) {
      const bodies = Array.from({ length: sizes.runsEach }, () =>
        JSON.stringify({ suite: gate.suite.slug, ...sentBy(kind, run++, cases) }),
      );
      const before = processorMs(service.process.pid ?? 0);
      for (const body of bodies) {
        const sentMs = performance.now();
        const answer = await gate.client('POST', '/v1/run', body);
        if (round > 0) ms.push(performance.now() - sentMs);
        if (answer.body.status !== 'cleared') throw new Error(JSON.stringify(answer.body).slice(0, 500));
      }
      if (round > 0) spent.push((processorMs(service.process.pid ?? 0) - before) / sizes.runsEach);
      units.set(kind, loggedUnits(service, 'runs/create').slice(-1));
    }
  }
  return KINDS.flatMap((kind) => rowsOf({ kind, cases }, waits.get(kind), units.get(kind)?.[0]));
}

function rowsOf(
  { kind, cases }: { kind: Kind; cases: number },
  { ms, processorMs: spent }: Waits = { ms: [], processorMs: [] },
  units: { read_units: number; write_units: number } = { read_units: Number.NaN, write_units: Number.NaN },
): Row[] {
  const metric = `sync run over HTTP, ${cases} cases, ${kind}`;
  const atMost = (most: number): { bound?: Bound } =>
    cases === BOUND_CASES ? { bound: { atMost: most } } : {};
  return [
    { metric, value: (cases * 1_000) / median(ms), unit: 'cases/s, one client' },
    { metric, value: median(ms), unit: 'ms p50' },
    { metric, value: median(spent), unit: 'ms of processor time a run' },
    { metric, value: units.write_units, unit: 'write units', ...atMost(WRITE_UNITS[kind]) },
    { metric, value: units.read_units, unit: 'read units', ...atMost(3) },
  ];
}

/** Measures runs with an output of 2 kB for each case beside runs with one output. */
export const benchOutputs: Bench = async (size) => {
  const own = await startEngineTable();
  const { endpoint, table } = own;
  const service = await startService({ env: { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME } });
  const rows: Row[] = [];
  try {
    for (const cases of SIZE[size].cases) {
      rows.push(...(await besideEachOther({ service, table }, cases, SIZE[size])));
    }
  } finally {
    await service.stop();
    await own.stop();
  }
  return [...rows, ...(await queuedRows(SIZE[size].queued))].filter(({ value }) => !Number.isNaN(value));
};
