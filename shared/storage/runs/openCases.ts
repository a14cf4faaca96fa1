import * as z from 'zod';
import { OPEN_JUDGED_CASES_MAX } from '../../domain/limits.ts';
import type { StoredOutcome } from '../../domain/runs/ports.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { lastNumberOf, OPEN_CASES_SHARDS, openCasesKey, openCasesOf, TTL } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/** Each shard has its share of the bound, so that their sum never exceeds it, whatever is stored at once. */
const SHARD_CASES_MAX = OPEN_JUDGED_CASES_MAX / OPEN_CASES_SHARDS;
/** Longer than a run is kept: what it took is given back before. */
const KEPT_SECONDS = 400 * DAY_SECONDS;
const TRIES_MAX = 5;

/** How many cases a pending run took of each shard. */
export type TakenCases = Readonly<Record<string, number>>;

const takenSchema = z.record(z.string(), z.number()).default({});

/** What an item of a run, or of the list of pending runs, says that the run took. */
export const takenCasesOf = (item: Item): TakenCases => takenSchema.parse(item.open_cases);

interface Wanted {
  readonly orgId: string;
  readonly judgedCases: number;
  readonly runToken: string;
  readonly startedAtMs: number;
}

export interface Taking {
  /** For the items that `takenCasesOf` reads. */
  readonly fields: Item;
  readonly writes: Record<string, Write>;
}

const NOTHING: Taking = { fields: {}, writes: {} };
const isTaking = (write: string): boolean => write.startsWith('open cases ');

/**
 * Stores a run with the cases that it takes. `store` answers the writes that were refused, if any were; when they are
 * those of the cases only, other runs were faster, and it is called again.
 */
export async function takingCases(
  table: Table,
  wanted: Wanted,
  store: (taking: Taking) => Promise<{ outcome: StoredOutcome; refused: Iterable<string> }>,
): Promise<StoredOutcome> {
  if (wanted.judgedCases === 0) return (await store(NOTHING)).outcome;
  const { judgedCases } = wanted;
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    if (attempt > 0) await table.backoff(attempt);
    const rooms = roomsIn(await table.query(openCasesOf(wanted.orgId)));
    const taken = share(rooms, wanted);
    if (taken === undefined) return { outcome: 'backlog_full', open: openBeside(rooms), judgedCases };
    const { outcome, refused } = await store(takingOf(wanted, taken));
    const names = [...refused];
    if (names.length === 0 || !names.every(isTaking)) return outcome;
  }
  // There was room each time.
  return { outcome: 'busy' };
}

const openBeside = (rooms: readonly number[]): number =>
  OPEN_JUDGED_CASES_MAX - rooms.reduce((sum, room) => sum + room, 0);

function roomsIn(items: readonly Item[]): number[] {
  const open = new Map(items.map((item) => [lastNumberOf(item), Number(item.open_cases)]));
  return Array.from({ length: OPEN_CASES_SHARDS }, (_, shard) => SHARD_CASES_MAX - (open.get(shard) ?? 0));
}

/**
 * From one shard if any has the room, else from all, as much as they have room: so each keeps some for the runs that are
 * stored until then. Undefined when all have too little.
 */
function share(
  rooms: readonly number[],
  { judgedCases, runToken }: Pick<Wanted, 'judgedCases' | 'runToken'>,
): TakenCases | undefined {
  const first = Number.parseInt(runToken.at(-1) ?? '0', 16) % rooms.length;
  const shards = rooms.map((_, index) => (first + index) % rooms.length);
  const roomOf = (shard: number): number => Math.max(0, rooms[shard] ?? 0);
  const whole = shards.find((shard) => roomOf(shard) >= judgedCases);
  if (whole !== undefined) return { [whole]: judgedCases };
  const taken: Record<string, number> = {};
  let left = judgedCases;
  let room = shards.reduce((sum, shard) => sum + roomOf(shard), 0);
  if (room < left) return undefined;
  for (const shard of shards) {
    const part = room === 0 ? 0 : Math.ceil((left * roomOf(shard)) / room);
    if (part > 0) taken[shard] = part;
    left -= part;
    room -= roomOf(shard);
  }
  return taken;
}

const takingOf = ({ orgId, startedAtMs }: Wanted, taken: TakenCases): Taking => ({
  fields: { open_cases: taken },
  writes: Object.fromEntries(
    Object.entries(taken).map(([shard, cases]) => [
      `open cases ${shard}`,
      {
        Update: {
          Key: openCasesKey(orgId, Number(shard)),
          UpdateExpression: `SET ${TTL} = :ttl ADD open_cases :cases`,
          ConditionExpression: 'attribute_not_exists(open_cases) OR open_cases <= :room',
          ExpressionAttributeValues: {
            ':cases': cases,
            ':room': SHARD_CASES_MAX - cases,
            ':ttl': Math.floor(startedAtMs / 1_000) + KEPT_SECONDS,
          },
        },
      },
    ]),
  ),
});

/** Belongs into the transaction that ends the run. */
export const giveCasesBack = (orgId: string, taken: TakenCases): Record<string, Write> =>
  Object.fromEntries(
    Object.entries(taken).map(([shard, cases]) => [
      `open cases ${shard}`,
      {
        Update: {
          Key: openCasesKey(orgId, Number(shard)),
          UpdateExpression: 'ADD open_cases :cases',
          ExpressionAttributeValues: { ':cases': -cases },
        },
      },
    ]),
  );
