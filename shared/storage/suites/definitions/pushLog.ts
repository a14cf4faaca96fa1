import type { EvalCase } from '../../../contracts/cases.ts';
import type { SuitePush } from '../../../domain/definitions/ports.ts';
import type { StoredScorer } from '../../../domain/suites/ports.ts';
import { heldKeyItem, isHeld, type KeySpace, keysOfProject, keysOfSuite } from '../../lists/heldKeys.ts';
import { idsOf, type ListBlock, relaid } from '../../lists/lists.ts';
import {
  caseExpectedKey,
  caseKey,
  caseList,
  casePointerKey,
  heldKeyKey,
  scorerKey,
  scorerList,
} from '../../table/keys.ts';
import type { LoggedWrite, PushLog } from '../../table/pushes/log.ts';
import type { Item } from '../../table/table.ts';
import { toItems } from '../caseItems.ts';
import { writeScorer } from '../scorers.ts';

interface Lists {
  readonly cases: readonly ListBlock[];
  /** Empty unless the push makes or deletes scorers. */
  readonly scorers: readonly ListBlock[];
  /** By their ids, scorers that the transaction writes which puts the push in force. */
  readonly atOnce: ReadonlyMap<string, unknown>;
}

/** All that a push writes after it is in force. */
export function logOf(orgId: string, push: SuitePush, lists: Lists): PushLog {
  const { suite, cases, scorers, caseIds, at, before } = push;
  const place = { orgId, push };
  const ofCases = keysOfSuite(orgId, suite.id);
  const ofScorers = keysOfProject(orgId, suite.project_id);
  const changed = cases.changed.map((one) => caseItems(place, one));
  const isAlone = ({ main, beside }: CaseItems) => beside.length === 0 && !before.large.has(String(main.id));
  const ids = scorerIds(push, lists);
  return {
    at,
    changed: changed.filter(isAlone).map(({ main }) => ({ item: main, version: Number(main.version) - 1 })),
    groups: [
      ...changed.filter((one) => !isAlone(one)).map((one) => largeCase(place, one)),
      ...scorers.changed
        .filter(({ id }) => !lists.atOnce.has(id))
        .map((one) => [{ put: scorerItem(place, one) }]),
      ...scorers.made.map((one) => [{ put: scorerItem(place, one) }, ...taken(ofScorers, one)]),
      ...cases.made.map((one) => madeCase(place, one, ofCases)),
      ...cases.deleted.map((one) => deletedCase(place, one, ofCases)),
      ...scorers.deleted.map((one) => [{ hide: scorerKey(orgId, one.id) }, ...freed(ofScorers, one)]),
      ...blocks(relaid(caseList(orgId, suite.id), lists.cases, caseIds)),
      ...blocks(relaid(scorerList(orgId, suite.project_id), lists.scorers, ids)),
    ],
  };
}

interface Place {
  readonly orgId: string;
  readonly push: SuitePush;
}

export const nextVersion = ({ before }: SuitePush, id: string): number => (before.versions.get(id) ?? 0) + 1;

interface CaseItems {
  readonly main: Item;
  readonly beside: readonly Item[];
}

function caseItems(place: Place, one: EvalCase): CaseItems {
  const { orgId, push } = place;
  const { main, expected } = toItems(one);
  const version = nextVersion(push, one.id);
  return {
    main: { ...caseKey(orgId, push.suite.id, one.id), ...main, version },
    beside: expected === undefined ? [] : [{ ...caseExpectedKey(orgId, push.suite.id, one.id), ...expected }],
  };
}

/** Of a case whose `expected` lies, or lay, in an item of its own. */
function largeCase({ orgId, push }: Place, { main, beside }: CaseItems): LoggedWrite[] {
  const former = { expire: caseExpectedKey(orgId, push.suite.id, String(main.id)) };
  return [{ put: main }, ...(beside.length > 0 ? beside.map((item) => ({ put: item })) : [former])];
}

function madeCase(place: Place, one: EvalCase, keys: KeySpace): LoggedWrite[] {
  const { main, beside } = caseItems(place, one);
  const pointer = { ...casePointerKey(place.orgId, one.id), suite_id: place.push.suite.id };
  return [...[main, ...beside, pointer].map((item) => ({ put: item })), ...taken(keys, one)];
}

function deletedCase({ orgId, push }: Place, one: EvalCase, keys: KeySpace): LoggedWrite[] {
  const large = push.before.large.has(one.id)
    ? [{ expire: caseExpectedKey(orgId, push.suite.id, one.id) }]
    : [];
  const main = { hide: caseKey(orgId, push.suite.id, one.id) };
  return [main, ...large, { drop: casePointerKey(orgId, one.id) }, ...freed(keys, one)];
}

export const scorerItem = ({ orgId, push }: Place, scorer: StoredScorer): Item => ({
  ...scorerKey(orgId, scorer.id),
  ...writeScorer(scorer),
  version: nextVersion(push, scorer.id),
});

type Keyed = Pick<EvalCase, 'id' | 'key'>;
const taken = (keys: KeySpace, keyed: Keyed): LoggedWrite[] =>
  isHeld(keyed) ? [{ put: heldKeyItem(keys, keyed) }] : [];
const freed = ({ partition }: KeySpace, keyed: Keyed): LoggedWrite[] =>
  isHeld(keyed) ? [{ drop: heldKeyKey(partition, keyed.key) }] : [];

const blocks = ({ listed, dropped }: ReturnType<typeof relaid>): LoggedWrite[][] => [
  [...listed.map(([block, ids]) => ({ block, ids })), ...dropped.map((drop) => ({ drop }))],
];

function scorerIds({ scorers: { made, deleted } }: SuitePush, lists: Lists): string[] {
  const gone = new Set(deleted.map(({ id }) => id));
  return [...idsOf(lists.scorers).filter((id) => !gone.has(id)), ...made.map(({ id }) => id)];
}
