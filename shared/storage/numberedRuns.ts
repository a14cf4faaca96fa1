import type { SuiteHead } from '../domain/ports.ts';
import { timestamp } from '../domain/time.ts';
import { untilSettled } from './backoff.ts';
import { putNew } from './documents.ts';
import { runKey, suiteHeadKey } from './keys.ts';
import { readHead } from './suiteHeads.ts';
import type { Item, Table, Write } from './table.ts';
import { createTurns } from './turns.ts';

export interface RunPlaceAndTime {
  readonly suiteId: string;
  readonly number: number;
  readonly createdAt: string;
}

export interface NewRun {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** Names this attempt to store the run, so that it recognises its own work after a lost answer. */
  readonly attempt: string;
  readonly startedAtMs: number;
  readonly itemOf: (place: RunPlaceAndTime) => Item;
  /** What must move in the same transaction. */
  readonly alongside: (place: RunPlaceAndTime, item: Item) => Record<string, Write>;
}

/** The item as it was stored; `undefined`: the suite is gone; `refused`: a write alongside did not hold. */
export type Numbered =
  | { readonly place: RunPlaceAndTime; readonly item: Item }
  | { readonly refused: ReadonlyMap<string, Item | undefined> }
  | undefined;

/** Runs of a suite are numbered without gaps and in the order of their times: any page of them is one range. */
function countRun(orgId: string, head: SuiteHead, createdAt: string): Write {
  return {
    Update: {
      Key: suiteHeadKey(orgId, head.slug, head.projectId),
      UpdateExpression: 'SET run_count = :next, last_run_at = :at',
      ConditionExpression: 'suite_id = :id AND run_count = :count',
      ExpressionAttributeValues: {
        ':id': head.suiteId,
        ':count': head.runCount,
        ':next': head.runCount + 1,
        ':at': createdAt,
      },
    },
  };
}

/** A run never looks older than the one before it, whatever the clocks of two functions say. */
const createdAtAfter = ({ lastRunAt }: SuiteHead, startedAtMs: number): string =>
  timestamp(Math.max(startedAtMs, lastRunAt === null ? 0 : Date.parse(lastRunAt)));

interface Step {
  readonly result: Numbered;
  /** The head for the next run of this suite in this process. */
  readonly leaves?: SuiteHead;
}

/** One try under the next free number. Undefined when another run took it, with the head as it is now. */
async function tryNumber(table: Table, run: NewRun, head: SuiteHead): Promise<Step | { next: SuiteHead }> {
  const { orgId, attempt } = run;
  const { suiteId } = head;
  const place = { suiteId, number: head.runCount + 1, createdAt: createdAtAfter(head, run.startedAtMs) };
  const key = runKey(orgId, suiteId, place.number);
  const item = { ...run.itemOf(place), attempt };
  const outcome = await table.transact<string>({
    head: countRun(orgId, head, place.createdAt),
    run: putNew(key, item),
    ...run.alongside(place, item),
  });
  if (outcome.committed) {
    return {
      result: { place, item },
      leaves: { ...head, runCount: place.number, lastRunAt: place.createdAt },
    };
  }
  // An attempt whose answer got lost may be what stands there: then the run is stored, once.
  const there = await table.get(key);
  if (there?.attempt === attempt)
    return { result: { place: { ...place, createdAt: String(there.created_at) }, item: there } };
  const { head: current, run: _, ...others } = Object.fromEntries(outcome.failed);
  if (outcome.failed.has('head')) {
    // What failed alongside may have failed for the number alone: the next number tells.
    return current?.suite_id === suiteId ? { next: readHead(current) } : { result: undefined };
  }
  if (Object.keys(others).length > 0) return { result: { refused: new Map(Object.entries(others)) } };
  return { next: head };
}

const newestOf = (read: SuiteHead, left: SuiteHead | undefined): SuiteHead =>
  left !== undefined && left.runCount > read.runCount ? left : read;

/** Gives new runs their numbers; runs of one suite take turns within a process. */
export function createNumbering(table: Table) {
  const inTurn = createTurns<SuiteHead>();
  return (run: NewRun): Promise<Numbered> =>
    inTurn(`${run.orgId}/${run.head.suiteId}`, (left) => {
      let head = newestOf(run.head, left);
      return untilSettled(async () => {
        const step = await tryNumber(table, run, head);
        if (!('next' in step)) return step;
        head = step.next;
        return undefined;
      }, table.backoff);
    });
}
