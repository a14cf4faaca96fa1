const [OPEN, CLOSE] = ['<think>', '</think>'];

/**
 * An output without what its model thought aloud: the blocks from `<think>` to the next `</think>`, or to the end where one
 * is not closed. White space between a block and an edge of the output goes with it.
 */
export function withoutReasoning(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, from)) {
    kept.push(text.slice(from, open));
    const close = text.indexOf(CLOSE, open + OPEN.length);
    from = close === -1 ? text.length : close + CLOSE.length;
  }
  if (kept.length === 0) return text;
  kept.push(text.slice(from));
  const joined = kept.join('');
  const answer = isBlank(kept[0]) ? joined.trimStart() : joined;
  return isBlank(kept.at(-1)) ? answer.trimEnd() : answer;
}

const isBlank = (text: string | undefined): boolean => text?.trim() === '';
