import { itemBytes, WRITE_UNIT_BYTES } from '../shared/storage/table/blobs.ts';
import { suitePartition } from '../shared/storage/table/keys.ts';
import type { RunningService } from '../test/support/service.ts';
import { answeredGate } from './answers.ts';
import { RESULTS_BYTES_HEADER } from './floor/bareRun.ts';
import { type BesideBare, startBesideBare } from './floor/besideBare.ts';
import { inTurn, rowsOfTurns, type Side, send } from './floor/inTurn.ts';
import { type Bench, median, type Row } from './result.ts';
import { makeSuite, OUTPUT } from './suite.ts';

interface LogLine {
  readonly read_units: number;
  readonly write_units: number;
}

/** Units in the service's log lines of runs, the newest last. */
const loggedUnits = (service: RunningService): LogLine[] =>
  service
    .stderr()
    .split('\n')
    .filter((line) => line.includes('"endpoint":"runs/create"'))
    .map((line) => JSON.parse(line) as LogLine);

/** Request units of the second and later runs, from the engine. */
async function unitsPerRun({ service, client }: BesideBare, cases: number): Promise<Row[]> {
  const { slug } = await makeSuite(client, cases, `Units ${cases}`);
  for (let nth = 0; nth < 4; nth++) await send({ client, suite: slug }, `${OUTPUT} Ticket ${nth}.`);
  const warm = loggedUnits(service).slice(-3);
  const isBound = cases === 100;
  const row = (kind: 'read' | 'write', atMost: number): Row => ({
    metric: `warm sync run, ${cases} cases`,
    value: median(warm.map((line) => line[`${kind}_units`])),
    unit: `${kind} units`,
    ...(isBound && { bound: { atMost } }),
  });
  return [row('read', 3), row('write', 8)];
}

/** A run of which every case passes: what it costs, and what is stored of it. */
async function rowsOfPassingRun({ service, client, table }: BesideBare): Promise<Row[]> {
  const { suite, project } = await answeredGate({ baseUrl: service.baseUrl, table, client }, 100);
  for (let nth = 0; nth < 3; nth++) await send({ client, suite: suite.slug }, `${OUTPUT} Ticket ${nth}.`);
  const [warm] = loggedUnits(service).slice(-1);
  const runs = await table.query({ pk: suitePartition(project.org_id, suite.id), prefix: 'RUN#' });
  const run = runs.at(-1);
  const isWithin = run?.passed_cases === 100 && run.results instanceof Uint8Array;
  const metric = 'warm sync run, 100 cases that pass';
  return [
    { metric, value: warm?.read_units ?? Number.NaN, unit: 'read units', bound: { atMost: 3 } },
    { metric, value: warm?.write_units ?? Number.NaN, unit: 'write units', bound: { atMost: 8 } },
    {
      metric: `${metric}: run with its results`,
      value: isWithin ? itemBytes(run) : Number.NaN,
      unit: 'bytes',
      bound: { atMost: WRITE_UNIT_BYTES },
    },
  ];
}

const SIZE = {
  full: { unitsOf: [10, 100, 400], rounds: 24, runsEach: 10, warmUps: 100 },
  smallest: { unitsOf: [10], rounds: 1, runsEach: 1, warmUps: 1 },
} as const;

/** The difference between the two is the cost of cases, the rest is the fixed cost of a run. */
const CASES = [1, 100];
/** The service's least throughput as a share of the bare handler's, by concurrent clients. */
const SHARE_OF_BARE = new Map([
  [1, 0.75],
  [4, 0.65],
]);

/** The service stores the results of 100 cases in an extra item, and those of one case in the run's item. */
const resultsBytes = (cases: number): number => (cases === 1 ? 0 : 700);

async function beside(
  setup: BesideBare,
  cases: number,
  { rounds, runsEach, warmUps }: (typeof SIZE)['full' | 'smallest'],
): Promise<Row[]> {
  const { client, pids } = setup;
  const bareClient = setup.bareClient({ [RESULTS_BYTES_HEADER]: String(resultsBytes(cases)) });
  const { slug } = await makeSuite(client, cases, `Cases ${cases}`);
  // The bare handler reads no cases, but numbers its runs too.
  const { slug: bareSlug } = await makeSuite(client, 0, `Bare ${cases}`);
  const service: Side = { client, suite: slug, pid: pids.service };
  const bare: Side = { client: bareClient, suite: bareSlug, pid: pids.bare };
  for (let nth = 0; nth < warmUps; nth++) for (const side of [service, bare]) await send(side, OUTPUT);
  const rows: Row[] = [];
  for (const [clients, atLeast] of SHARE_OF_BARE) {
    const load = { clients, runsEach };
    const turns = await inTurn(setup, { service, bare }, { rounds, load, output: OUTPUT });
    const metric = `sync run over HTTP, ${cases} case${cases > 1 ? 's' : ''}, ${clients} client${clients > 1 ? 's' : ''}`;
    rows.push(...rowsOfTurns(metric, turns, atLeast));
  }
  return rows;
}

/** Measures whole runs over HTTP: by the service with the embedded engine, and by a bare handler beside it. */
export const benchRuns: Bench = async (size) => {
  const setup = await startBesideBare();
  try {
    const rows: Row[] = [];
    for (const cases of SIZE[size].unitsOf) rows.push(...(await unitsPerRun(setup, cases)));
    rows.push(...(await rowsOfPassingRun(setup)));
    for (const cases of CASES) rows.push(...(await beside(setup, cases, SIZE[size])));
    return rows;
  } finally {
    await setup.stop();
  }
};
