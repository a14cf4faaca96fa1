/** Two sequences as numbers: equal for equal elements. */
export interface Pair {
  readonly one: Int32Array;
  readonly other: Int32Array;
  /** Numbers are below it. */
  readonly kinds: number;
}

export function paired(one: readonly string[], other: readonly string[]): Pair {
  const numbers = new Map<string, number>();
  const numberOf = (element: string) => {
    const known = numbers.get(element) ?? numbers.size;
    numbers.set(element, known);
    return known;
  };
  return {
    one: Int32Array.from(one, numberOf),
    other: Int32Array.from(other, numberOf),
    kinds: numbers.size,
  };
}

const BLOCK = 32;

/**
 * Takes 32 elements of `one` at a time, and for each element of `other` the bits of those that are equal to it. State is
 * of one call: an interrupt leaves nothing behind.
 */
function eachBlock({ one, kinds }: Pair, visit: (bitsOf: Int32Array, size: number) => void): void {
  const bitsOf = new Int32Array(kinds);
  for (let start = 0; start < one.length; start += BLOCK) {
    const block = one.subarray(start, start + BLOCK);
    for (const [at, element] of block.entries()) bitsOf[element] = (bitsOf[element] ?? 0) | (1 << at);
    visit(bitsOf, block.length);
    for (const element of block) bitsOf[element] = 0;
  }
}

/** How many elements must be put in, left out or replaced: Levenshtein's distance, by Myers' and Hyyrö's algorithm. */
export function editDistance(pair: Pair): number {
  const { one, other } = pair;
  /** By element of `other`: what the distance gains from the one before it, in the last row of a block. */
  const gains = new Int8Array(other.length).fill(1);
  eachBlock(pair, (bitsOf, size) => {
    let [plus, minus] = [-1, 0];
    for (let at = 0; at < other.length; at++) {
      // From -1 to 1: its sign bit, or that of its opposite, is a bit of the next row.
      const gain = gains[at] ?? 0;
      const equal = bitsOf[other[at] ?? 0] ?? 0;
      const vertical = equal | minus;
      const within = equal | (gain >>> 31);
      const horizontal = (((within & plus) + plus) ^ plus) | within;
      let more = minus | ~(horizontal | plus);
      let less = plus & horizontal;
      gains[at] = ((more >>> (size - 1)) & 1) - ((less >>> (size - 1)) & 1);
      more = (more << 1) | (-gain >>> 31);
      less = (less << 1) | (gain >>> 31);
      plus = less | ~(vertical | more);
      minus = more & vertical;
    }
  });
  return gains.reduce((sum, gain) => sum + gain, one.length);
}

/** How many elements both have in the same order at most, by Hyyrö's algorithm. */
export function commonLength(pair: Pair): number {
  const carries = new Uint8Array(pair.other.length);
  let common = 0;
  eachBlock(pair, (bitsOf, size) => {
    let row = -1;
    for (let at = 0; at < pair.other.length; at++) {
      const equal = row & (bitsOf[pair.other[at] ?? 0] ?? 0);
      const sum = (row >>> 0) + (equal >>> 0) + (carries[at] ?? 0);
      carries[at] = sum > 0xffff_ffff ? 1 : 0;
      row = sum | (row & ~equal);
    }
    common += size - bitCount(size === BLOCK ? row : row & ((1 << size) - 1));
  });
  return common;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
