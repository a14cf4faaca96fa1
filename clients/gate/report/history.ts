import type { BarDifference, ChangeEntry } from '../../sdk/index.ts';
import { type Effect, effectOf } from './effect.ts';
import { fieldParts } from './plan.ts';
import { credentialWords } from './review/credential.ts';
import { joined, plain, say, type Words } from './words.ts';

type Changes = ChangeEntry['changes'];
type Target = ChangeEntry['target'];

const SHOWN_MAX = 20;
const TARGETS_SHOWN = 3;
const SIGNS = { created: '+', updated: '~', deleted: '-' } as const;

/** Who made a change. */
export function authorWords({ by }: ChangeEntry): Words {
  if (by === null) return plain('by the operator of the service');
  return joined([plain('by'), credentialWords(by)], ' ');
}

/** The same change of the suite, or of one or several cases or scorers. */
export interface ChangedLine {
  readonly action: string;
  readonly targets: readonly Target[];
  /** What differs; undefined for what is new or gone. */
  readonly words: Words | undefined;
  readonly effect: Effect | undefined;
}

interface Changed {
  readonly action: string;
  readonly target: Target;
  readonly changes: Changes;
}

/** What differs, in words; undefined where nothing does that is worth any. */
type WordsOf = (changes: Changes) => Words | undefined;

function lineOf({ action, target, changes }: Changed, wordsOf: WordsOf): ChangedLine {
  const isUpdate = action !== 'created' && action !== 'deleted';
  const words = isUpdate ? wordsOf(changes) : undefined;
  return { action, targets: [target], words, effect: effectOf({ action, changes }) };
}

/** As it is stored. */
function asStored(changes: Changes): Words | undefined {
  const parts = Object.entries(changes).flatMap(([name, change]) =>
    fieldParts(name, change, { hidesValues: false }),
  );
  return parts.length === 0 ? undefined : joined(parts, ', ');
}

/** Alike are lines that differ in their targets alone. */
export const kindOf = ({ action, targets: [target], words, effect }: ChangedLine): string =>
  JSON.stringify([action, target?.type, words, effect]);

/** Equal changes are one line. */
export const grouped = (lines: readonly ChangedLine[]): readonly ChangedLine[] =>
  [...Map.groupBy(lines, kindOf).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? [{ ...first, targets: alike.flatMap(({ targets }) => targets) }] : [];
  });

/** What an entry changed itself, what of cases and scorers, and how many changes of these it does not list. */
export function changedBy(entry: ChangeEntry, wordsOf: WordsOf = asStored) {
  const { first = [], created = 0, updated = 0, deleted = 0 } = entry.members ?? {};
  return {
    own: lineOf(entry, wordsOf),
    members: grouped(first.map((member) => lineOf(member, wordsOf))),
    more: created + updated + deleted - first.length,
  };
}

/** What a change did, a line each. */
export function changeLines(entry: ChangeEntry): Words[] {
  const { own: ownLine, members, more } = changedBy(entry);
  const shown = members.slice(0, SHOWN_MAX);
  const left = members.slice(SHOWN_MAX).reduce((sum, { targets }) => sum + targets.length, more);
  return [
    entry.target.type === 'baseline' ? baselineLine(entry) : lineWords(ownLine),
    ...shown.map(lineWords),
    ...(left > 0 ? [plain(`and ${left} more`)] : []),
  ];
}

function lineWords({ action, targets, words, effect }: ChangedLine): Words {
  const [first] = targets;
  const what = plain(targets.length > 1 ? `${targets.length} ${first?.type}s` : (first?.type ?? ''));
  const keys = joined(targets.slice(0, TARGETS_SHOWN).map(keyWords), ', ');
  const rest = targets.length - TARGETS_SHOWN;
  const head = joined([plain(SIGNS[action as keyof typeof SIGNS] ?? '~'), what, keys], ' ');
  return joined(
    [
      rest > 0 ? joined([head, plain(`and ${rest} more`)], ' ') : head,
      ...(words ? [words] : []),
      ...(effect ? [plain(effect)] : []),
    ],
    '  ',
  );
}

const keyWords = ({ id, key = id }: Target): Words => say`${key}`;

/** Its id, and that of the one before it. */
function baselineLine({ action, target, changes }: ChangeEntry): Words {
  if (action === 'removed') return say`- baseline ${target.id}`;
  const before = changes.baseline?.from;
  return typeof before === 'string' ? say`~ baseline ${before} → ${target.id}` : say`+ baseline ${target.id}`;
}

/** How one bar differs from another one, a line each. */
export function differenceLines({ suite, cases, scorers }: BarDifference): Words[] {
  const ofSuite = Object.keys(suite).length === 0 ? [] : [line('~', plain('suite'), suite)];
  return [...ofSuite, ...memberLines('case', cases), ...memberLines('scorer', scorers)];
}

interface Members {
  readonly added: readonly { readonly key: string }[];
  readonly removed: readonly { readonly key: string }[];
  readonly changed: readonly { readonly key: string; readonly changes: Changes }[];
}

function memberLines(kind: 'case' | 'scorer', { added, removed, changed }: Members): Words[] {
  const named = ({ key }: { readonly key: string }): Words => joined([plain(kind), say`${key}`], ' ');
  return [
    ...added.map((one) => line('+', named(one), {})),
    ...removed.map((one) => line('-', named(one), {})),
    ...changed.map((one) => line('~', named(one), one.changes)),
  ];
}

/** Of what is new or gone the name alone. */
function line(sign: string, what: Words, changes: Changes): Words {
  const shown = sign === '~' ? Object.entries(changes) : [];
  const words = shown.flatMap(([name, change]) => fieldParts(name, change, { hidesValues: false }));
  const head = joined([plain(sign), what], ' ');
  return words.length === 0 ? head : joined([head, joined(words, ', ')], '  ');
}
