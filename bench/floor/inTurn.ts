import type { Api } from '../../test/support/api.ts';
import { median, type Row } from '../result.ts';
import type { BesideBare } from './besideBare.ts';
import { processorMs } from './processorTime.ts';

/** The measurements of one turn. */
interface Turn {
  readonly runsPerSecond: number;
  readonly waitsMs: readonly number[];
  /** Processor time per run, of the answering process and of the engine. */
  readonly ownMs: number;
  readonly engineMs: number;
}

/** Service or bare handler. */
export interface Side {
  readonly client: Api;
  readonly suite: string;
  readonly pid: number;
}

export interface Load {
  readonly clients: number;
  readonly runsEach: number;
}

export async function send({ client, suite }: Pick<Side, 'client' | 'suite'>, output: string): Promise<void> {
  const { status, body } = await client('POST', '/v1/run', { suite, output });
  if (status !== 200) throw new Error(`run: ${status} ${JSON.stringify(body)}`);
}

async function takeTurn(side: Side, enginePid: number, load: Load, output: string): Promise<Turn> {
  const runs = load.clients * load.runsEach;
  const before = { own: processorMs(side.pid), engine: processorMs(enginePid) };
  const startedMs = performance.now();
  const waitsMs: number[] = [];
  const worker = async () => {
    for (let nth = 0; nth < load.runsEach; nth++) {
      const sentMs = performance.now();
      await send(side, output);
      waitsMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: load.clients }, worker));
  const seconds = (performance.now() - startedMs) / 1_000;
  return {
    runsPerSecond: runs / seconds,
    waitsMs,
    ownMs: (processorMs(side.pid) - before.own) / runs,
    engineMs: (processorMs(enginePid) - before.engine) / runs,
  };
}

/** Measures service and bare handler alternately, so that other load affects both alike. */
export async function inTurn(
  { pids }: Pick<BesideBare, 'pids'>,
  sides: { readonly service: Side; readonly bare: Side },
  { rounds, load, output }: { rounds: number; load: Load; output: string },
): Promise<{ service: Turn[]; bare: Turn[] }> {
  const turns = { service: [] as Turn[], bare: [] as Turn[] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['service', 'bare'] as const) : (['bare', 'service'] as const);
    for (const name of order) turns[name].push(await takeTurn(sides[name], pids.engine, load, output));
  }
  return turns;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function rowsOfTurns(
  metric: string,
  { service, bare }: { service: readonly Turn[]; bare: readonly Turn[] },
  atLeast: number,
): Row[] {
  const rates = (turns: readonly Turn[]) => median(turns.map(({ runsPerSecond }) => runsPerSecond));
  const ratios = service.map(({ runsPerSecond }, nth) => runsPerSecond / (bare[nth]?.runsPerSecond ?? 0));
  const waits = (turns: readonly Turn[]) => median(turns.flatMap(({ waitsMs }) => waitsMs));
  const row = (what: string, value: number, unit: string): Row => ({
    metric: `${metric}: ${what}`,
    value,
    unit,
  });
  const spent = (what: string, turns: readonly Turn[], time: 'ownMs' | 'engineMs'): Row[] => {
    const value = mean(turns.map((turn) => turn[time]));
    return Number.isNaN(value) ? [] : [row(what, value, 'ms of processor time a run')];
  };
  return [
    row('service', rates(service), 'runs/s'),
    row('bare handler', rates(bare), 'runs/s'),
    { ...row('service / bare handler', median(ratios), 'x runs/s'), bound: { atLeast } },
    row('service', waits(service), 'ms p50'),
    row('bare handler', waits(bare), 'ms p50'),
    ...spent('service', service, 'ownMs'),
    ...spent('bare handler', bare, 'ownMs'),
    ...spent('engine under the service', service, 'engineMs'),
    ...spent('engine under the bare handler', bare, 'engineMs'),
  ];
}
