/** Two sequences as numbers: equal for equal elements. */
export interface Pair {
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Numbers are below it. */
  readonly kinds: number;
}

export function paired(left: readonly string[], right: readonly string[]): Pair {
  const numbers = new Map<string, number>();
  const numberOf = (element: string) => {
    const known = numbers.get(element) ?? numbers.size;
    numbers.set(element, known);
    return known;
  };
  return {
    left: Int32Array.from(left, numberOf),
    right: Int32Array.from(right, numberOf),
    kinds: numbers.size,
  };
}

const BLOCK = 32;

/**
 * Takes 32 elements of `left` at a time, and for each element of `right` the bits of those that are equal to it. State is
 * of one call: an interrupt leaves nothing behind.
 */
function eachBlock({ left, kinds }: Pair, visit: (bitsOf: Int32Array, size: number) => void): void {
  const bitsOf = new Int32Array(kinds);
  for (let start = 0; start < left.length; start += BLOCK) {
    const block = left.subarray(start, start + BLOCK);
    for (const [place, element] of block.entries()) bitsOf[element] = (bitsOf[element] ?? 0) | (1 << place);
    visit(bitsOf, block.length);
    for (const element of block) bitsOf[element] = 0;
  }
}

/** How many elements must be put in, left out or replaced: Levenshtein's distance, by Myers' and Hyyrö's algorithm. */
export function editDistance(pair: Pair): number {
  const { left, right } = pair;
  /** By element of `right`: what the distance gains from the one before it, in the last row of a block. */
  const gains = new Int8Array(right.length).fill(1);
  eachBlock(pair, (bitsOf, size) => {
    let [plus, minus] = [-1, 0];
    for (let index = 0; index < right.length; index++) {
      // From -1 to 1: its sign bit, or that of its opposite, is a bit of the next row.
      const gain = gains[index] ?? 0;
      const equal = bitsOf[right[index] ?? 0] ?? 0;
      const vertical = equal | minus;
      const within = equal | (gain >>> 31);
      const horizontal = (((within & plus) + plus) ^ plus) | within;
      let more = minus | ~(horizontal | plus);
      let less = plus & horizontal;
      gains[index] = ((more >>> (size - 1)) & 1) - ((less >>> (size - 1)) & 1);
      more = (more << 1) | (-gain >>> 31);
      less = (less << 1) | (gain >>> 31);
      plus = less | ~(vertical | more);
      minus = more & vertical;
    }
  });
  return gains.reduce((sum, gain) => sum + gain, left.length);
}

/** How many elements both have in the same order at most, by Hyyrö's algorithm. */
export function commonLength(pair: Pair): number {
  const carries = new Uint8Array(pair.right.length);
  let common = 0;
  eachBlock(pair, (bitsOf, size) => {
    let row = -1;
    for (let index = 0; index < pair.right.length; index++) {
      const equal = row & (bitsOf[pair.right[index] ?? 0] ?? 0);
      const sum = (row >>> 0) + (equal >>> 0) + (carries[index] ?? 0);
      carries[index] = sum > 0xffff_ffff ? 1 : 0;
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
