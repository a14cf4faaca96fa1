/**
 * Finds many values in one pass over a text (Aho and Corasick), even if the values share long parts: time and memory
 * grow with the text and the values together, not with their product. The nodes of the trie are numbered level by
 * level, so a node's children follow each other, sorted by their code unit.
 */
export class ValueSearch {
  readonly #nodeOfValue: Int32Array;
  /** By node: its last code unit, its first child, and where to go on when no child fits. */
  readonly #units: Uint16Array;
  readonly #firstChild: Int32Array;
  readonly #fallback: Int32Array;
  /** By node: how long the longest value is that ends there. */
  readonly #longest: Int32Array;
  readonly #size: number;

  constructor(values: readonly string[]) {
    const nodesMax = values.reduce((sum, value) => sum + value.length, 1);
    this.#nodeOfValue = new Int32Array(values.length);
    this.#units = new Uint16Array(nodesMax);
    this.#firstChild = new Int32Array(nodesMax + 1);
    this.#fallback = new Int32Array(nodesMax);
    this.#longest = new Int32Array(nodesMax);
    this.#size = this.#grow(values);
    this.#fallBack();
  }

  /** By value, whether the text holds it. `onEnd` learns the end and the length of the longest value that ends there. */
  findIn(text: string, onEnd?: (end: number, length: number) => void): boolean[] {
    const seen = new Uint8Array(this.#size);
    let node = 0;
    for (let index = 0; index < text.length; index++) {
      node = this.#next(node, text.charCodeAt(index));
      seen[node] = 1;
      const length = this.#longest[node] ?? 0;
      if (length > 0) onEnd?.(index + 1, length);
    }
    for (let index = this.#size - 1; index > 0; index--)
      if (seen[index] === 1) seen[this.#fallback[index] ?? 0] = 1;
    return Array.from(this.#nodeOfValue, (end) => seen[end] === 1);
  }

  /** Lays the trie of the sorted values out: each node stands for those of them that begin alike. */
  #grow(values: readonly string[]): number {
    const order = values
      .map((value, index) => ({ value, at: index }))
      .sort((a, b) => compare(a.value, b.value));
    const sorted = order.map(({ value }) => value);
    const [from, to] = [new Int32Array(this.#units.length), new Int32Array(this.#units.length)];
    to[0] = values.length;
    let size = 1;
    const depths = new Int32Array(this.#units.length);
    for (let node = 0; node < size; node++) {
      const depth = depths[node] ?? 0;
      this.#firstChild[node] = size;
      const end = to[node] ?? 0;
      let position = from[node] ?? 0;
      for (; position < end && sorted[position]?.length === depth; position++)
        this.#endValue(order[position]?.at ?? 0, node, depth);
      for (; position < end; position = to[size++] ?? end) {
        depths[size] = depth + 1;
        this.#units[size] = unitAt(sorted[position], depth);
        from[size] = position;
        to[size] = endOfLike(sorted, position, end, depth);
      }
    }
    this.#firstChild[size] = size;
    return size;
  }

  #endValue(value: number, node: number, length: number): void {
    this.#nodeOfValue[value] = node;
    this.#longest[node] = length;
  }

  /** The longest other beginning of a value that ends where this one does. */
  #fallBack(): void {
    let parent = 0;
    for (let node = 1; node < this.#size; node++) {
      while ((this.#firstChild[parent + 1] ?? 0) <= node) parent++;
      if (parent === 0) continue;
      const fallback = this.#next(this.#fallback[parent] ?? 0, this.#units[node] ?? 0);
      this.#fallback[node] = fallback;
      if (this.#longest[node] === 0) this.#longest[node] = this.#longest[fallback] ?? 0;
    }
  }

  #next(from: number, unit: number): number {
    for (let node = from; ; node = this.#fallback[node] ?? 0) {
      const child = this.#childOf(node, unit);
      if (child !== 0 || node === 0) return child;
    }
  }

  /** The root, which is no child, means none. */
  #childOf(node: number, unit: number): number {
    let low = this.#firstChild[node] ?? 0;
    let high = (this.#firstChild[node + 1] ?? 0) - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle] ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low === high && this.#units[low] === unit ? low : 0;
  }
}

const unitAt = (value = '', index: number): number => value.charCodeAt(index);

function endOfLike(sorted: readonly string[], from: number, end: number, depth: number): number {
  const unit = unitAt(sorted[from], depth);
  let position = from + 1;
  while (position < end && unitAt(sorted[position], depth) === unit) position++;
  return position;
}

/** By code units, as `charCodeAt` reads them. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
