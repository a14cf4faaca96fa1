import { comparesRuns } from '../../../scoring/verdict/gates/comparesRuns.ts';
import { gravest } from '../../../scoring/verdict/strictness.ts';
import { changeOfCase } from './caseChanges.ts';
import type { Pair } from './gating.ts';
import { DECIDING, scorerChanges, scorerComparison } from './scorerChanges.ts';
import { suiteChange } from './suiteChange.ts';
import { type Change, type CompleteDefinition, isWeaker, type Plan } from './types.ts';
import { unprovenCases } from './unproven.ts';

interface PlanOptions {
  /** Whether cases that the definition does not have are deleted. */
  readonly prune: boolean;
  /** Whether the suite never had a case: its first ones make nothing weaker. */
  readonly isFirst: boolean;
  readonly nowMs: number;
  /** By the key of a scorer: the other suites whose cases use it. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
}

/**
 * What a definition changes, and every way in which the bar gets or may get weaker: whatever is not certainly at least as
 * strict may be weaker.
 */
export function planOf(before: CompleteDefinition, sent: CompleteDefinition, options: PlanOptions): Plan {
  const after = options.prune ? sent : withKept(before, sent);
  const pairs = pairsOf(before, after);
  const unproven = unprovenIn({ before, after }, pairs, options);
  const comparison = scorerComparison(before, after);
  const sides = {
    gatedTags: { before: gatedTags(before), after: gatedTags(after) },
    ...comparison,
    comparesRuns: comparesRuns(before.suite.gates) && comparesRuns(after.suite.gates),
    nowMs: options.nowMs,
    unproven,
  };
  const suite = suiteChange(before, after);
  const changesOfSuite = [...(suite ? [suite] : []), ...pairs.flatMap((pair) => changeOfCase(pair, sides))];
  const ofSuite = options.isFirst ? changesOfSuite.map(first) : changesOfSuite;
  const users = Map.groupBy(pairs, ({ before: one }) => one?.scorer ?? null);
  const scorers = scorerChanges(before, sent).map((change) =>
    inUse(change, users.get(change.key) ?? [], { unproven, options, ...comparison }),
  );
  const kept = options.prune ? [] : keptChanges(before, sent);
  const changes = [
    ...ofSuite.filter(({ kind }) => kind === 'suite'),
    ...scorers,
    ...ofSuite.filter(({ kind }) => kind === 'case'),
    ...kept,
  ];
  return { changes, weaker: changes.filter(isWeaker), affects: affected(scorers, options) };
}

const gatedTags = ({ suite }: CompleteDefinition): ReadonlySet<string> =>
  new Set(suite.gates.tags?.map(({ tag }) => tag));

const first = (change: Change): Change => (isWeaker(change) ? { ...change, effect: 'stricter' } : change);

/** Cases that the definition does not have stay, behind those that it has. */
function withKept(before: CompleteDefinition, sent: CompleteDefinition): CompleteDefinition {
  const keys = new Set(sent.cases.map(({ key }) => key));
  const cases = [...sent.cases, ...before.cases.filter(({ key }) => !keys.has(key))];
  return { ...sent, cases, scorers: new Map([...before.scorers, ...sent.scorers]) };
}

function keptChanges(before: CompleteDefinition, sent: CompleteDefinition): Change[] {
  const keys = new Set(sent.cases.map(({ key }) => key));
  return before.cases
    .filter(({ key }) => !keys.has(key))
    .map(({ key }) => ({ kind: 'case', key, action: 'keep', fields: {}, effect: 'same' }));
}

/** In the order of the definition, then what it does not have. */
function pairsOf(before: CompleteDefinition, after: CompleteDefinition): Pair[] {
  const known = new Map(before.cases.map((one) => [one.key, one]));
  const keysAfter = new Set(after.cases.map(({ key }) => key));
  return [
    ...after.cases.map((one) => ({ key: one.key, before: known.get(one.key), after: one })),
    ...before.cases
      .filter(({ key }) => !keysAfter.has(key))
      .map((one) => ({ key: one.key, before: one, after: undefined })),
  ];
}

interface Sides {
  readonly before: CompleteDefinition;
  readonly after: CompleteDefinition;
}

function unprovenIn(sides: Sides, pairs: readonly Pair[], { nowMs }: PlanOptions): ReadonlySet<string> {
  const changed = new Set(scorerChanges(sides.before, sides.after).map(({ key }) => key));
  const isRescored = ({ before, after }: Pair): boolean =>
    RESCORING.some((name) => before?.[name] !== after?.[name]) || changed.has(after?.scorer ?? '');
  return unprovenCases(sides, pairs, { nowMs, isRescored });
}

const RESCORING = ['scorer', 'threshold', 'sample_count', 'sample_pass_rate'] as const;

interface Use extends Pick<ReturnType<typeof scorerComparison>, 'scorerEffect'> {
  readonly unproven: ReadonlySet<string>;
  readonly options: PlanOptions;
}

/** What a change of a scorer makes of those that use it: of other suites nothing is proven. */
function inUse(change: Change, users: readonly Pair[], { unproven, options, scorerEffect }: Use): Change {
  if (change.action !== 'update' || change.effect === 'same') return change;
  const isElsewhere = (options.uses.get(change.key) ?? []).length > 0;
  if (!isElsewhere && users.length === 0) return { ...change, effect: 'same' };
  const isUnsure = isElsewhere || users.some(({ key }) => unproven.has(key));
  // Of another type, what each of its cases expects decides.
  const staying = users.flatMap(({ before: was, after: is }) => (was && is ? [scorerEffect(was, is)] : []));
  const effect = 'type' in change.fields && !isElsewhere ? gravest(staying) : change.effect;
  return { ...change, effect: gravest([effect, isUnsure ? 'may be weaker' : 'same']) };
}

function affected(scorers: readonly Change[], { uses }: PlanOptions): Plan['affects'] {
  const moving = scorers.filter(
    ({ fields, action }) => action === 'update' && DECIDING.some((name) => name in fields),
  );
  const moved = moving.flatMap(({ key }) => (uses.get(key) ?? []).map((suite) => ({ suite, key })));
  const bySuite = Map.groupBy(moved, ({ suite }) => suite);
  return [...bySuite]
    .map(([suite, some]) => ({ suite, scorers: some.map(({ key }) => key) }))
    .toSorted((one, other) => (one.suite < other.suite ? -1 : 1));
}
