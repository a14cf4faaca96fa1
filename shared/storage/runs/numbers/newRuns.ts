import type { DayFigures } from '../../../domain/analytics/figures.ts';
import type { PlanInForce } from '../../../domain/plans.ts';
import type { SuiteHead } from '../../../domain/suites/ports.ts';
import { type Key, suiteHeadKey } from '../../table/keys.ts';
import type { Item, Write } from '../../table/table.ts';

export interface RunPlaceAndTime {
  readonly suiteId: string;
  readonly number: number;
  readonly createdAt: string;
}

export interface Numberless {
  readonly orgId: string;
  readonly head: SuiteHead;
  readonly startedAtMs: number;
}

export const headKey = ({ orgId, head }: Numberless): Key => suiteHeadKey(orgId, head.slug, head.projectId);

export interface NewRun extends Numberless {
  /** The run's token: a store recognises its own item by it after a lost answer. */
  readonly runToken: string;
  readonly figures: DayFigures;
  readonly plan: PlanInForce;
  /** Whether the run can be created then as it is. */
  readonly holdsAt: (createdAt: string) => boolean;
  readonly itemOf: (place: RunPlaceAndTime) => Item;
  readonly alongside: (place: RunPlaceAndTime) => Record<string, Write>;
}

/** Of a plan that blocks further runs than so many of a month. */
export type BlockedRun = NewRun & { readonly quota: number };

/**
 * Undefined: the suite is gone. `refused`: the writes alongside whose conditions failed. `usedBefore`: runs of the month
 * that earlier plans let in. `busy`: others were in the
 * way every time. `otherTime`: by this head the run is created when it does not hold. Only with `item` is anything
 * stored or counted.
 */
export type Numbered =
  | { readonly place: RunPlaceAndTime; readonly item: Item }
  | {
      readonly place: RunPlaceAndTime;
      readonly refused: ReadonlyMap<string, Item | undefined>;
      readonly usedBefore?: number;
    }
  | { readonly otherTime: SuiteHead }
  | 'busy'
  | undefined;

export const itemAt = (run: NewRun, place: RunPlaceAndTime, orderedAt: string): Item => ({
  ...run.itemOf(place),
  attempt: run.runToken,
  ...(orderedAt !== place.createdAt && { ordered_at: orderedAt }),
});
