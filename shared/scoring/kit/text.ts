import { visible } from './visible.ts';

/** Cuts to at most `maxLength` UTF-16 units without splitting a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}

/** Like `cut`, and says that something was left off. A number is left off as a whole: a part of it is another number. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const shown = cut(text, maxLength - 1);
  const isNumberCut = /^(?:\d|[.,]\d|%)/.test(text.slice(shown.length, shown.length + 2));
  const [number] = (isNumberCut && /[-+]?\d[\d.,]{0,24}$/.exec(shown.slice(-NUMBER_LENGTH))) || [''];
  const isPart = number.length < Math.min(NUMBER_LENGTH, shown.length);
  return `${isPart ? shown.slice(0, shown.length - number.length) : shown}…`;
}

const NUMBER_LENGTH = 24;

/** In Unicode's characters, of which some take two UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}

/**
 * In lower case, with every character where it was: `İ` stays, since its lower case is longer. A sigma is the same one at
 * the end of a word and elsewhere, so that a part of a text is a part of it in lower case, too.
 */
export function foldCase(text: string, lowerCase = text.toLowerCase()): string {
  const folded = lowerCase.length === text.length ? lowerCase : Array.from(text, foldCharacter).join('');
  return folded.replaceAll('ς', 'σ');
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

export const QUOTED_LENGTH = 60;

/** A short quotation for a reason. Control characters, quotes and what cannot be seen are escaped as in JSON. */
export function quote(text: string, maxLength = QUOTED_LENGTH): string {
  const quoted = quoteWhole(clip(text, maxLength));
  // Two quotations fit into a reason, though an escape takes six characters.
  return quoted.length <= maxLength * 2 ? quoted : quoteWhole(clip(text, Math.ceil(maxLength / 4)));
}

const quoteWhole = (text: string): string => `"${visible(JSON.stringify(text.toWellFormed()).slice(1, -1))}"`;

export function quoteSome(texts: readonly string[], maxLength = QUOTED_LENGTH): string {
  return nameSome(
    texts.slice(0, 3).map((text) => quote(text, maxLength)),
    texts.length,
  );
}

/** The same for texts that are quoted already or need no quotes, such as JSON. */
export function nameSome(texts: readonly string[], total = texts.length): string {
  const shown = texts.slice(0, 3);
  return total > 3 ? `${shown.join(', ')} and ${total - 3} more` : shown.join(', ');
}

export const REASON_LENGTH_MAX = 500;

export function toReason(text: string): string {
  return clip(visible(clip(text, REASON_LENGTH_MAX).toWellFormed()), REASON_LENGTH_MAX);
}
