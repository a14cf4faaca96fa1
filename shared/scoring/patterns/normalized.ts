import { normalized } from '../kit/reading/normalize.ts';
import { clip } from '../kit/text.ts';

const CHARACTER = /\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|.)|./gisu;
const CLASS_OR_CHARACTER =
  /(\[(?:\\.|[^\]\\])*(?:\]|\\?$))|\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|.)|./gisu;
/** It may match nothing. */
const OPTIONAL = /^(?:[?*]|\{0)/;
const BLANKS: Readonly<Record<string, string>> = { '\\t': '\t', '\\r': '\r', '\\v': '\v', '\\f': '\f' };

interface Part {
  readonly raw: string;
  /** What it matches; null for what matches more than one text. */
  readonly text: string | null;
}
const NOTHING: Part = { raw: '', text: null };

/**
 * The first part of a pattern that is in no normalized output, so that the pattern never matches; null if none is found.
 * In a class beside others, and where it may be left out, such a character does no harm.
 */
export function neverNormalized(pattern: string): string | null {
  let before = NOTHING;
  for (const { 0: raw, 1: members, index } of pattern.matchAll(CLASS_OR_CHARACTER)) {
    const part = members === undefined ? partOf(raw) : NOTHING;
    const changed =
      members === undefined ? [part, joined(before, part)].find(isChanged) : onlyChanged(members);
    if (changed !== undefined && !OPTIONAL.test(pattern.slice(index + raw.length))) return message(changed);
    before = part;
  }
  return null;
}

/** Of a class that has no other members than such. A range of them is one, too. */
function onlyChanged(members: string): Part | undefined {
  const parts = (members.slice(1, -1).match(CHARACTER) ?? []).filter((raw) => raw !== '-').map(partOf);
  return parts.every(isChanged) ? parts[0] : undefined;
}

function partOf(raw: string): Part {
  const code = /^\\(?:x|u)\{?([\da-f]{2,})\}?$/i.exec(raw)?.[1];
  if (code !== undefined) return { raw, text: String.fromCodePoint(Number.parseInt(code, 16)) };
  if (!raw.startsWith('\\')) return { raw, text: raw };
  return { raw, text: BLANKS[raw] ?? (/^\\[a-z0-9]/i.test(raw) ? null : raw.slice(1)) };
}

/** Two that stand side by side, such as a letter and its accent, or two blanks. */
function joined(before: Part, { raw, text }: Part): Part {
  const areTexts = before.text !== null && text !== null && !isChanged(before);
  return { raw: before.raw + raw, text: areTexts ? before.text + text : null };
}

const isChanged = ({ text }: Part): boolean => text !== null && normalized(text, 'lines') !== text;

function message({ raw, text }: Part): string {
  const instead = normalized(text ?? '', 'lines');
  const write = instead === '' ? 'leave it out' : `write ${JSON.stringify(instead)}`;
  return `holds ${JSON.stringify(clip(raw, 20))}, which no output has once it is normalized: ${write}`;
}
