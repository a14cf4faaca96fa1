import { PENDING_SHARDS } from '../../shared/storage/table/keys.ts';
import { Random } from '../../test/faults/random.ts';
import type { Counts } from '../cost/costCounts.ts';
import type { Row } from '../result.ts';
import { AVERAGE, JUDGED_PART, JUDGED_SECONDS, PEAK, type Traffic } from './loadTraffic.ts';
import { TableUnits } from './tableUnits.ts';

/** `ORG#<id>#SUITE#<id>` is `ORG#SUITE`: a kind of partition key is its words without the ids. */
const kindOf = (pk: string): string =>
  pk
    .split('#')
    .filter((_, index) => index % 2 === 0)
    .join('#');

interface KindUnits {
  readonly kind: string;
  readonly type: 'read' | 'write';
  readonly units: number;
}

/** Units of one run by kind of partition key. Those of a transaction belong to its items in equal parts. */
function unitsByKind({ table }: Counts): KindUnits[] {
  const all = new Map<string, KindUnits>();
  for (const { kind: type, units, pks } of table) {
    for (const pk of pks) {
      const kind = kindOf(pk);
      const known = all.get(`${type} ${kind}`)?.units ?? 0;
      all.set(`${type} ${kind}`, { kind, type, units: known + units / pks.length });
    }
  }
  return [...all.values()];
}

/** Organisations by Zipf's law: the second makes half of the runs of the first, the third a third. */
export function zipf(organisations: number): (random: Random) => number {
  const sums: number[] = [];
  for (let rank = 1; rank <= organisations; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  const total = sums.at(-1) ?? 0;
  return (random) => {
    const drawn = random.next() * total;
    let [low, high] = [0, organisations - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Key of the run in this organisation. Each has one suite, one API key and one address: the hottest case. */
const keyOf = (kind: string, organisation: number, random: Random): string =>
  kind === 'PENDING' ? `PENDING#${random.int(0, PENDING_SHARDS - 1)}` : `${kind} ${organisation}`;

const isShared = (pk: string): boolean => pk.startsWith('PENDING#');

/**
 * Draws the runs of the peak, as if all units of a run fell into one second. An organisation's slots evaluate one judged
 * run after the other: what comes meanwhile waits, or is refused.
 */
export function hottestRows(
  metric: string,
  traffic: Traffic,
  { seconds, organisation }: { seconds: number; organisation: (random: Random) => number },
): Row[] {
  const random = new Random(1);
  const [sync, judged] = [traffic.sync[0], traffic.judged[0]].map((one) => (one ? unitsByKind(one) : []));
  let nowMs = 0;
  const units = new TableUnits(() => nowMs);
  const judgesUntilMs = new Map<number, number>();
  for (
    let atMs = 0;
    atMs < 1_000 * seconds;
    atMs += (-1_000 / (PEAK * AVERAGE)) * Math.log(1 - random.next())
  ) {
    nowMs = atMs;
    const of = organisation(random);
    const isJudged = random.chance(JUDGED_PART);
    if (isJudged && (judgesUntilMs.get(of) ?? 0) > atMs) continue;
    if (isJudged) judgesUntilMs.set(of, atMs + 1_000 * JUDGED_SECONDS);
    for (const { kind, type, units: used } of (isJudged ? judged : sync) ?? []) {
      units.count(type, keyOf(kind, of, random), used);
    }
  }
  const row = (what: string, type: 'read' | 'write', value = 0): Row => ({
    metric: `${metric}: ${what}`,
    value,
    unit: `${type} units a second`,
  });
  const hottest = (['write', 'read'] as const).map((type) => {
    const key = units.hottest(type, (pk) => !isShared(pk));
    return row(`hottest key of one organisation (${key?.pk.split(' ')[0]})`, type, key?.unitsPerSecond);
  });
  const shared = units.hottest('write', isShared)?.unitsPerSecond;
  const what = 'hottest key that organisations share (list of pending runs)';
  return [...hottest, { ...row(what, 'write', shared), bound: { atMost: 1_000 } }];
}
