import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS, type Bundle, bundleFunctions, FUNCTION_FILES } from '../infra/aws/bundle/bundle.ts';
import { WORKERS } from '../infra/aws/functions.ts';
import { type ColdStart, startCold } from '../test/support/bundles.ts';
import { REPOSITORY_DIR } from '../test/support/processes.ts';
import { coldRequests, type Requests } from './coldRequests.ts';
import { type Bench, median, type Row } from './result.ts';

/** Starts per kind of function, and the kinds. The smallest size takes two that carry every replaced module. */
const SIZE = {
  full: { rounds: 15, idsOf: (ids: readonly string[]) => ids },
  smallest: { rounds: 1, idsOf: () => ['runs/create', 'billing/checkout'] },
} as const;
/** The baseline twice: with the published SDK, and bundled like the functions. */
const BARE = 'bare handler';
const BARE_AS_OURS = 'bare handler, bundled as ours';
const BARE_FILE = 'bench/bareHandler.ts';

const WORKER_IDS: readonly string[] = Object.values(WORKERS);

type Entry = Pick<Bundle, 'folder' | 'name'>;

const sizeOf = (files: ReadonlyMap<string, number>): number =>
  [...files.values()].reduce((sum, bytes) => sum + bytes, 0);

/** Bundles with the same options and without our plugins. */
async function bundlePlainly(outdir: string): Promise<Entry> {
  const entryPoints = [{ in: BARE_FILE, out: 'bare' }];
  await build({ ...BUNDLE_OPTIONS, absWorkingDir: REPOSITORY_DIR, minify: true, entryPoints, outdir });
  return { folder: outdir, name: 'bare' };
}

interface Pair {
  readonly bare: ColdStart;
  readonly ours: ColdStart;
}

/** Starts each next to the bare handler, in rounds, so that other load on the machine affects all alike. */
function startAll(
  bare: Entry,
  entries: ReadonlyMap<string, Entry>,
  { eventOf, variables }: Requests,
  rounds: number,
) {
  const pairs = new Map<string, Pair[]>([...entries.keys()].map((id) => [id, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [id, entry] of entries) {
      const beside = startCold(bare, {}, variables);
      const ours = startCold(entry, eventOf(id), variables);
      if (ours.answer?.statusCode === 500) throw new Error(`${id}: ${ours.answer.body}`);
      if (round >= 0) pairs.get(id)?.push({ bare: beside, ours });
    }
  }
  return pairs;
}

const megabytes = (bytes: number): number => Math.round(bytes / 100_000) / 10;

function coldRows(metric: string, starts: readonly ColdStart[]): Row[] {
  const middle = (field: 'importMs' | 'importCpuMs' | 'importedBytes' | 'peakBytes') =>
    median(starts.map((start) => start[field]));
  return [
    { metric: `${metric}: import`, value: middle('importMs'), unit: 'ms' },
    { metric: `${metric}: import, processor time`, value: middle('importCpuMs'), unit: 'ms' },
    { metric: `${metric}: memory once imported`, value: megabytes(middle('importedBytes')), unit: 'MB' },
    { metric: `${metric}: memory of the first answer`, value: megabytes(middle('peakBytes')), unit: 'MB' },
  ];
}

/** The ratio of processor times, which is the ratio of start times on an otherwise idle machine. */
function ratioRow(metric: string, pairs: readonly Pair[], isBound: boolean): Row {
  const ratios = pairs.map(({ bare, ours }) => ours.importCpuMs / bare.importCpuMs);
  const row = { metric: `${metric}: import / ${BARE}`, value: median(ratios), unit: 'ratio' };
  return isBound ? { ...row, bound: { atMost: 1.3 } } : row;
}

function sizeRows({ functionId, eager, lazy }: Bundle, isBound: boolean): Row[] {
  const start = { metric: `${functionId}: at its start`, value: sizeOf(eager) / 1_000, unit: 'kB' };
  return [
    isBound ? { ...start, bound: { atMost: 450 } } : start,
    { metric: `${functionId}: later`, value: sizeOf(lazy) / 1_000, unit: 'kB' },
  ];
}

/** Measures bytes, start time and memory of a cold function of each kind. */
export const benchBundles: Bench = async (size) => {
  const { rounds, idsOf } = SIZE[size];
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-bundles-'));
  const requests = await coldRequests();
  try {
    const bare = await bundlePlainly(path.join(folder, 'plain'));
    const files = new Map([...FUNCTION_FILES, [BARE_AS_OURS, BARE_FILE]]);
    const ids = [BARE_AS_OURS, ...idsOf(requests.ids)];
    const wanted = new Map(ids.map((id) => [id, files.get(id) as string]));
    const bundles = await bundleFunctions(path.join(folder, 'ours'), wanted);
    const pairs = startAll(bare, bundles, requests, rounds);
    const rows = [...bundles].flatMap(([id, bundle]) => {
      const measured = pairs.get(id) ?? [];
      const isBound = FUNCTION_FILES.has(id) && !WORKER_IDS.includes(id);
      return [
        ...sizeRows(bundle, isBound),
        ratioRow(id, measured, isBound),
        ...coldRows(
          id,
          measured.map(({ ours }) => ours),
        ),
      ];
    });
    const bareStarts = [...pairs.values()].flat().map((pair) => pair.bare);
    return [...coldRows(BARE, bareStarts), ...rows];
  } finally {
    await requests.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
