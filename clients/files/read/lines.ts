import type { Place } from './problems.ts';

/** Lines and columns of offsets in a text. */
export function lineOf(text: string): (offset: number) => Pick<Place, 'line' | 'column'> {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= startsOf(text);
    const position = Math.min(offset, text.length);
    let [line, after] = [0, starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((starts[middle] ?? 0) <= position) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: position - (starts[line] ?? 0) + 1 };
  };
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
    starts.push(index + 1);
  return starts;
}
