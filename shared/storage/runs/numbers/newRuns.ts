import type { DayFigures } from '../../../domain/analytics/figures.ts';
import type { PlanInForce } from '../../../domain/plans.ts';
import type { RunPlace } from '../../../domain/runs/ids.ts';
import type { SuiteHead } from '../../../domain/suites/stored.ts';
import type { Item, Write } from '../../table/table.ts';

export interface NewRun {
  readonly orgId: string;
  readonly head: SuiteHead;
  readonly isOfDefaultBranch: boolean;
  readonly createdAt: string;
  /** The run's token: a store recognises its own item by it after a lost answer. */
  readonly runToken: string;
  readonly figures: DayFigures;
  readonly plan: PlanInForce;
  readonly item: Item;
  readonly alongside: (place: RunPlace) => Record<string, Write>;
}

/**
 * Undefined: the suite is gone. `refused`: the writes alongside whose conditions failed. `usedBefore`: runs of the month
 * that earlier plans let in. `busy`: others were in the way every time. Only with `item` is anything stored or counted.
 */
export type Numbered =
  | { readonly place: RunPlace; readonly item: Item }
  | { readonly refused: ReadonlyMap<string, Item | undefined>; readonly usedBefore: number }
  | 'busy'
  | undefined;
