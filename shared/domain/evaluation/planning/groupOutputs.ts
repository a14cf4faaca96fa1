import type { OutputGroup } from '../evaluation.ts';

/** What an evaluator holds of a run at once, unless a single case got more. */
const GROUP_CHARACTERS_MAX = 3_000_000;

interface Lying {
  readonly block: number;
  readonly characters: number;
}

/** `sent`: for each case of a chunk where its outputs lie. */
export function groupsOf(sent: readonly (readonly Lying[])[]): OutputGroup[] {
  const groups: OutputGroup[] = [];
  let first = 0;
  let held = 0;
  let blocks = new Set<number>();
  const close = (end: number) => {
    if (end > first) groups.push([first, end - first, [...blocks].toSorted((one, other) => one - other)]);
    first = end;
    held = 0;
    blocks = new Set();
  };
  for (const [index, items] of sent.entries()) {
    const characters = items.reduce((sum, item) => sum + item.characters, 0);
    if (held + characters > GROUP_CHARACTERS_MAX) close(index);
    held += characters;
    for (const { block } of items) blocks.add(block);
  }
  close(sent.length);
  return groups;
}
