import type { BarDifference, ChangeEntry } from '../../sdk/index.ts';
import { fieldParts } from './plan.ts';
import { credentialWords } from './review/credential.ts';
import { joined, plain, say, type Words } from './words.ts';

type Changes = ChangeEntry['changes'];
type Target = ChangeEntry['target'];

const SHOWN_MAX = 20;
const SIGNS = { created: '+', updated: '~', deleted: '-' } as const;

/** Who made a change. */
export function authorWords({ by }: ChangeEntry): Words {
  if (by === null) return plain('by the operator of the service');
  return joined([plain('by'), credentialWords(by)], ' ');
}

/** What a change did, a line each. */
export function changeLines(entry: ChangeEntry): Words[] {
  const { action, target, changes, members } = entry;
  const sign = SIGNS[action as keyof typeof SIGNS] ?? '~';
  const targetLine =
    target.type === 'baseline' ? baselineLine(entry) : line(sign, targetWords(target), changes);
  if (members === undefined) return [targetLine];
  const { first, created, updated, deleted } = members;
  const shown = first.slice(0, SHOWN_MAX);
  const more = created + updated + deleted - shown.length;
  return [
    targetLine,
    ...shown.map((one) => line(SIGNS[one.action] ?? '~', targetWords(one.target), one.changes)),
    ...(more > 0 ? [plain(`and ${more} more`)] : []),
  ];
}

/** Its id, and that of the one before it. */
function baselineLine({ action, target, changes }: ChangeEntry): Words {
  if (action === 'removed') return say`- baseline ${target.id}`;
  const before = changes.baseline?.from;
  return typeof before === 'string' ? say`~ baseline ${before} → ${target.id}` : say`+ baseline ${target.id}`;
}

const targetWords = ({ type, id, key }: Target): Words => joined([plain(type), say`${key ?? id}`], ' ');

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
