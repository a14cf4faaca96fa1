import { diffArrays } from 'diff';

/** Differences beyond this many lines are not followed: the file is then written as a whole. */
const DIFFERENCES_MAX = 500;

/**
 * A text that was written anew as `base`, and with changes as `next`: what the changes leave alone is as in `original`.
 * Undefined where the texts have too little in common.
 */
export function keepLines(original: string, base: string, next: string): string | undefined {
  const [from, between, to] = [linesOf(original), linesOf(base), linesOf(next)];
  const written = matched(from.map(withoutBlanks), between.map(withoutBlanks));
  const changed = matched(between, to);
  if (written === undefined || changed === undefined) return undefined;
  return merged({ from, between, parts: partsOf(written, from.length, between.length), to, toIn: changed });
}

const linesOf = (text: string): string[] => text.split('\n');
const withoutBlanks = (line: string): string => line.replace(/[ \t\r]/g, '');

/** Lines of the original, and those that were written for them. */
interface Written {
  readonly from: readonly [start: number, end: number];
  readonly base: readonly [start: number, end: number];
}

/** A part for each line that both have, and for what stands between such lines. */
function partsOf(same: ReadonlyMap<number, number>, fromCount: number, baseCount: number): Written[] {
  const parts: Written[] = [];
  let [from, base] = [0, 0];
  for (const [at, to] of [...same, [fromCount, baseCount] as const]) {
    if (at > from || to > base) parts.push({ from: [from, at], base: [base, to] });
    if (at < fromCount || to < baseCount) parts.push({ from: [at, at + 1], base: [to, to + 1] });
    [from, base] = [at + 1, to + 1];
  }
  return parts;
}

interface Merge {
  readonly from: readonly string[];
  readonly between: readonly string[];
  readonly parts: readonly Written[];
  readonly to: readonly string[];
  /** Lines of `to`, by those of the base that they are. */
  readonly toIn: ReadonlyMap<number, number>;
}

function merged({ from, between, parts, to, toIn }: Merge): string {
  const lines: string[] = [];
  const written = indented(to, indentsOf({ from, between, parts }));
  let next = 0;
  for (const { from: own, base } of parts) {
    const at = placeOf(base, toIn, next);
    lines.push(...written.slice(next, at.from));
    if (at.isComplete) lines.push(...from.slice(...own));
    next = at.to;
  }
  return [...lines, ...written.slice(next)].join('\n');
}

/** Where lines of the base stand: all of them one after another, or as far as there are any. */
function placeOf([start, end]: Written['base'], toIn: Merge['toIn'], next: number) {
  const found = Array.from({ length: end - start }, (_, n) => toIn.get(start + n));
  const first = start === end ? next : found[0];
  if (first !== undefined && found.every((at, n) => at === first + n)) {
    return { isComplete: true, from: first, to: first + end - start };
  }
  const last = found.reduce<number>((most, at) => Math.max(most, (at ?? -1) + 1), next);
  return { isComplete: false, from: last, to: last };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** How far lines of the original are indented, by how far they were written. */
function indentsOf({ from, between, parts }: Pick<Merge, 'from' | 'between' | 'parts'>): Map<number, number> {
  const indents = new Map<number, number>();
  for (const { from: own, base } of parts) {
    const [line, written] = [from[own[0]] ?? '', between[base[0]] ?? ''];
    const isOne = own[1] - own[0] === 1 && base[1] - base[0] === 1;
    if (isOne && line.trim() !== '' && !indents.has(indentOf(written)))
      indents.set(indentOf(written), indentOf(line));
  }
  return indents;
}

const indented = (lines: readonly string[], indents: ReadonlyMap<number, number>): string[] =>
  lines.map((line) => ' '.repeat(indents.get(indentOf(line)) ?? indentOf(line)) + line.trimStart());

/** The lines of `one` that stand in `other`, too, in their order. */
function matched(one: readonly string[], other: readonly string[]): ReadonlyMap<number, number> | undefined {
  const parts = diffArrays([...one], [...other], { maxEditLength: DIFFERENCES_MAX });
  if (parts === undefined) return undefined;
  const same = new Map<number, number>();
  let [index, otherIndex] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      for (let line = 0; line < count; line++) same.set(index + line, otherIndex + line);
    }
    if (!added) index += count;
    if (!removed) otherIndex += count;
  }
  return same;
}
