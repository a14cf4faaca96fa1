import { CUT_OFF, endsOfValues, NO_VALUE } from './embedded.ts';

/** What of an output is JSON: all of it, its one fenced block, or its one object or array. */
export const EXTRACTS = ['whole', 'fenced', 'embedded'] as const;
export type Extract = (typeof EXTRACTS)[number];

export type Extracted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** Exactly one, never the first: an output could show one answer to the gate and another one to its reader. */
export function extracted(text: string, extract: Extract): Extracted {
  if (extract === 'whole') return { ok: true, text };
  return extract === 'fenced' ? fenced(text) : embedded(text);
}

const none = (reason: string): Extracted => ({ ok: false, reason });

/** A line that opens or closes a block, as in Markdown: three or more backticks or tildes. */
const FENCE = /^[ \t]*(`{3,}|~{3,})([^\r\n]*)/gm;
/** Anywhere: a reader may take it for a block, as in a quotation, a list or within a line. */
const RUN = /`{3}|~{3}/;

interface OpenBlock {
  readonly fence: string;
  readonly from: number;
  /** What stands behind the fence in its line. */
  readonly info: string;
  readonly start: number;
}

function fenced(text: string): Extracted {
  const { blocks, isOpen } = blocksOf(text);
  const [block] = blocks;
  if (blocks.length > 1) return none('output holds several fenced blocks, and must hold one');
  if (isOpen) return none('output holds a fenced block that is not closed');
  if (block === undefined) return none('output holds no fenced block');
  const { from, info, start, end, to } = block;
  if ([text.slice(0, from), info, text.slice(to)].some((beside) => RUN.test(beside)))
    return none(
      'output holds three or more backticks or tildes beside its fenced block: another block to some',
    );
  return { ok: true, text: text.slice(start, end) };
}

interface Block extends OpenBlock {
  readonly end: number;
  readonly to: number;
}

function blocksOf(text: string): { blocks: readonly Block[]; isOpen: boolean } {
  const blocks: Block[] = [];
  let open: OpenBlock | null = null;
  for (const line of text.matchAll(FENCE)) {
    if (open === null) open = openedBy(line);
    else if (closes(line, open)) {
      blocks.push({ ...open, end: line.index, to: line.index + line[0].length });
      open = null;
    }
  }
  return { blocks, isOpen: open !== null };
}

/** Backticks behind backticks make code within a line. */
function openedBy({ 0: line, 1: fence = '', 2: rest = '', index }: RegExpExecArray): OpenBlock | null {
  if (fence.startsWith('`') && rest.includes('`')) return null;
  return { fence, from: index, info: rest, start: index + line.length };
}

function closes([, fence = '', rest = '']: RegExpExecArray, { fence: opening }: OpenBlock): boolean {
  return fence.startsWith(opening) && rest.trim() === '';
}

function embedded(text: string): Extracted {
  const ends = endsOfValues(text);
  let found: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const end = ends[at] ?? NO_VALUE;
    if (end === NO_VALUE) continue;
    if (end === CUT_OFF) return none(`output holds JSON from character ${at + 1} on that is not closed`);
    if (found !== null) return none('output holds several JSON objects or arrays, and must hold one');
    found = text.slice(at, end);
    at = end - 1;
  }
  return found === null ? none('output holds no JSON object or array') : { ok: true, text: found };
}
