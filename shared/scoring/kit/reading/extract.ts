import { answersIn } from './embedded.ts';

/** What of an output is JSON: all of it, its one fenced block, or its one object or array. */
export const EXTRACTS = ['whole', 'fenced', 'embedded'] as const;
export const EXTRACT_WORDS = {
  label: 'What of an output is read',
  options: {
    whole: 'all of it, as JSON',
    fenced: 'its one fenced block',
    embedded: 'its one object or array, wherever it is',
  },
  absent: 'whole',
} as const;
export type Extract = (typeof EXTRACTS)[number];

export type Extracted =
  | {
      readonly ok: true;
      readonly text: string;
      /** How deep its brackets nest, where that is known. */
      readonly depth?: number;
    }
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
  const content = text.slice(start, end);
  const beside = [text.slice(0, from), info, text.slice(to)];
  if (beside.some((part) => RUN.test(part)))
    return none(
      'output holds three or more backticks or tildes beside its fenced block: another block to some',
    );
  return secondAnswer(beside, content) ?? { ok: true, text: content };
}

/** Why one of the texts beside a block is another answer. */
function secondAnswer(beside: readonly string[], content: string): Extracted | undefined {
  const isArray = content.trimStart().startsWith('[');
  for (const part of beside) {
    const answers = answersIn(part);
    if (!answers.ok) return none(`${answers.reason}, beside its fenced block: another answer to some`);
    if (answers.found.length > 0 || (isArray && answers.notes.length > 0)) return none(BESIDE_BLOCK);
  }
  return undefined;
}

const BESIDE_BLOCK =
  'output holds what begins like an object or array beside its fenced block: another answer to some';

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
  const answers = answersIn(text);
  if (!answers.ok) return none(answers.reason);
  const [answerCount, noteCount] = [answers.found.length, answers.notes.length];
  const answer = answers.found[0] ?? answers.notes[0];
  if (answer === undefined) return none(NOTHING);
  const json = text.slice(answer.start, answer.end);
  if (answerCount === 0 && !NUMBERS.test(json)) return none(NOTHING);
  const isAlone = answerCount + noteCount === 1 || (answerCount === 1 && json.startsWith('{'));
  return isAlone ? { ok: true, text: json, depth: answer.depth } : none(SEVERAL);
}

/** Of the notes in square brackets, JSON. */
const NUMBERS = /^\[\s*[-\d\]]/;
const NOTHING = 'output holds no JSON object or array';
const SEVERAL = 'output holds several objects or arrays, or what begins like them, and must hold one';
