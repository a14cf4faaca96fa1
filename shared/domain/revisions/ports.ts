import type { Credential } from '../../contracts/base/credentials.ts';
import type { ChangeEntry } from '../../contracts/history/history.ts';
import type { Block, Member } from './blocks.ts';
import type { Order } from './order.ts';

/** Whose chain of revisions it is: a suite's, of its cases, or a project's, of its scorers. */
export type Chain =
  | {
      readonly kind: 'suite';
      readonly orgId: string;
      readonly id: string;
      readonly slug: string;
      readonly projectId: string;
    }
  | { readonly kind: 'project'; readonly orgId: string; readonly id: string; readonly slug: string };

/** Which revision is in force. The head says it, and an edit moves it by one. */
export interface Position {
  readonly n: number;
  /** Of the edit that made it: no other edit has the same. */
  readonly token: string;
}

/** What an edit did to what. The rest of its changes are the difference from the revision before it. */
export interface Act {
  readonly action: ChangeEntry['action'];
  readonly target:
    | { readonly type: 'suite' }
    | { readonly type: 'case' | 'scorer'; readonly number: number }
    | { readonly type: 'baseline' | 'waiver'; readonly id: string };
  /** Changes that the fields of revisions do not say. */
  readonly changes?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
  /** Of a suite's revision: that of the project's scorers which was put in force with it, under the same token. */
  readonly scorers?: number;
}

/** A revision never changes. `fields`: what it says of the suite or project itself. */
export interface Revision<Fields> extends Position {
  /** The token of the revision before it; null for the first. */
  readonly previous: string | null;
  readonly at: string;
  /** Null for the operator of the service. */
  readonly by: Credential | null;
  readonly act: Act;
  readonly fields: Fields;
  readonly blocks: readonly Block[];
  readonly order: Order;
  /** The highest number that was ever given away. */
  readonly lastNumber: number;
  /** Numbers of members whose texts are to vanish everywhere. Their numbers may come back. */
  readonly erased: readonly number[];
}

const NO_ACT: Act = { action: 'created', target: { type: 'suite' } };

/** Of a chain without members. */
export const emptyRevision = <Fields>(fields: Fields): Revision<Fields> => ({
  n: 0,
  token: '',
  previous: null,
  at: '',
  by: null,
  act: NO_ACT,
  fields,
  blocks: [],
  order: undefined,
  lastNumber: 0,
  erased: [],
});

/** Both included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Items that never change, under names that no other edit uses. `Row` and `Texts` are JSON. */
export interface RevisionStore<Row, Texts, Fields> {
  /** Undefined where the suite or project is gone. */
  position(chain: Chain): Promise<Position | undefined>;
  revision(chain: Chain, position: Position): Promise<Revision<Fields>>;
  /** In their order; undefined for one that is gone. */
  revisions(
    requested: readonly { readonly chain: Chain; readonly at: Position }[],
  ): Promise<readonly (Revision<Fields> | undefined)[]>;
  /** All that are stored with these numbers, in their order: also those of edits that met another one. */
  stored(chain: Chain, range: NumberRange): Promise<readonly Revision<Fields>[]>;
  /** Of each block, in the order of their numbers. */
  rows(chain: Chain, blocks: readonly Block[]): Promise<readonly (readonly Member<Row>[])[]>;
  /** Of each block, by number. */
  texts(chain: Chain, blocks: readonly Block[]): Promise<readonly ReadonlyMap<number, Texts>[]>;
  putRows(chain: Chain, name: string, members: readonly Member<Row>[]): Promise<void>;
  /** Returns in how many parts they lie. */
  putTexts(chain: Chain, name: string, texts: ReadonlyMap<number, Texts>): Promise<number>;
  putRevision(chain: Chain, revision: Revision<Fields>): Promise<void>;
  /** Says, before an edit writes anything, that there will be something to purge after this revision. */
  announce(chain: Chain, before: Position, nowMs: number): Promise<void>;
  /** Puts a revision in force that follows the given one. False where another one does. */
  flip(chain: Chain, before: Position, after: Position): Promise<boolean>;
}
