import type { EvalCase } from '../../../contracts/cases.ts';
import type { SuitePush } from '../../../domain/definitions/ports.ts';
import type { StoredScorer } from '../../../domain/suites/ports.ts';
import { heldKeyItem, isHeld, type KeySpace, keysOfProject, keysOfSuite } from '../../lists/heldKeys.ts';
import { idsOf, type ListBlock, relaid } from '../../lists/lists.ts';
import type { PushLog } from '../../pushes/log.ts';
import {
  caseExpectedKey,
  caseKey,
  caseList,
  casePointerKey,
  heldKeyKey,
  type Key,
  scorerKey,
  scorerList,
} from '../../table/keys.ts';
import type { Item } from '../../table/table.ts';
import { toItems } from '../caseItems.ts';
import { writeScorer } from '../scorers.ts';

interface Lists {
  readonly cases: readonly ListBlock[];
  /** Empty unless the push makes or deletes scorers. */
  readonly scorers: readonly ListBlock[];
}

/** All that a push writes after it is in force. */
export function logOf(orgId: string, push: SuitePush, lists: Lists): PushLog {
  const { suite, cases, scorers, caseIds } = push;
  const place = { orgId, push };
  const changed = cases.changed.map((one) => caseItems(place, one));
  const keys = { cases: keysOfSuite(orgId, suite.id), scorers: keysOfProject(orgId, suite.project_id) };
  const caseBlocks = relaid(caseList(orgId, suite.id), lists.cases, caseIds);
  const scorerBlocks = relaid(scorerList(orgId, suite.project_id), lists.scorers, scorerIds(push, lists));
  const wasLarge = (one: { id: string }): boolean => push.before.large.has(one.id);
  const isAlone = ({ main, beside }: CaseItems) => beside.length === 0 && !wasLarge({ id: String(main.id) });
  const alone = changed.filter(isAlone);
  const small = changed.filter(({ beside }) => beside.length === 0).map(({ main }) => String(main.id));
  const gone = [...small, ...cases.deleted.map(({ id }) => id)];
  return {
    changed: alone.map(({ main }) => ({ item: main, version: Number(main.version) - 1 })),
    made: [
      ...changed.filter((one) => !isAlone(one)).flatMap(({ main, beside }) => [main, ...beside]),
      ...cases.made.flatMap((one) => madeCase(place, one, keys.cases)),
      ...scorers.changed.filter(({ id }) => !push.shared.has(id)).map((one) => scorerItem(place, one)),
      ...scorers.made.flatMap((one) => [scorerItem(place, one), ...heldItems(keys.scorers, one)]),
    ],
    listed: [...caseBlocks.listed, ...scorerBlocks.listed],
    deleted: [
      ...cases.deleted.map(({ id }) => caseKey(orgId, suite.id, id)),
      ...scorers.deleted.map(({ id }) => scorerKey(orgId, id)),
    ],
    expiring: gone.filter((id) => wasLarge({ id })).map((id) => caseExpectedKey(orgId, suite.id, id)),
    deletedAt: push.at,
    dropped: [
      ...caseBlocks.dropped,
      ...scorerBlocks.dropped,
      ...cases.deleted.flatMap((one) => [casePointerKey(orgId, one.id), ...heldKeys(keys.cases, one)]),
      ...scorers.deleted.flatMap((one) => heldKeys(keys.scorers, one)),
    ],
  };
}

interface Place {
  readonly orgId: string;
  readonly push: SuitePush;
}

const nextVersion = ({ push }: Place, id: string): number => (push.before.versions.get(id) ?? 0) + 1;

interface CaseItems {
  readonly main: Item;
  readonly beside: readonly Item[];
}

function caseItems(place: Place, one: EvalCase): CaseItems {
  const { orgId, push } = place;
  const { main, expected } = toItems(one);
  const version = nextVersion(place, one.id);
  const item = { ...caseKey(orgId, push.suite.id, one.id), ...main, version };
  return {
    main: item,
    beside: expected === undefined ? [] : [{ ...caseExpectedKey(orgId, push.suite.id, one.id), ...expected }],
  };
}

function madeCase(place: Place, one: EvalCase, keys: KeySpace): Item[] {
  const { orgId, push } = place;
  const { main, beside } = caseItems(place, one);
  const pointer = { ...casePointerKey(orgId, one.id), suite_id: push.suite.id };
  return [main, ...beside, pointer, ...heldItems(keys, one)];
}

const scorerItem = (place: Place, scorer: StoredScorer): Item => ({
  ...scorerKey(place.orgId, scorer.id),
  ...writeScorer(scorer),
  version: nextVersion(place, scorer.id),
});

type Keyed = Pick<EvalCase, 'id' | 'key'>;
const heldItems = (keys: KeySpace, keyed: Keyed): Item[] => (isHeld(keyed) ? [heldKeyItem(keys, keyed)] : []);
const heldKeys = ({ partition }: KeySpace, keyed: Keyed): Key[] =>
  isHeld(keyed) ? [heldKeyKey(partition, keyed.key)] : [];

function scorerIds({ scorers: { made, deleted } }: SuitePush, lists: Lists): string[] {
  const gone = new Set(deleted.map(({ id }) => id));
  return [...idsOf(lists.scorers).filter((id) => !gone.has(id)), ...made.map(({ id }) => id)];
}
