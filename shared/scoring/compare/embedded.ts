import { endOfString } from '../../contracts/json/jsonText.ts';

export const NO_VALUE = 0;
/** The text ends before the value does. */
export const CUT_OFF = -1;

const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [QUOTE, COLON, COMMA] = [0x22, 0x3a, 0x2c];

const isOpening = (unit: number): boolean => unit === OPEN_OBJECT || unit === OPEN_ARRAY;

/**
 * By where a JSON object or array begins, the place behind its end. From the last to the first, so that an outer one
 * passes over inner ones in one step. Others overlap only where they read quotes in different ways, of which there are
 * two: all take time in proportion to the text.
 */
export function endsOfValues(text: string): Int32Array {
  const ends = new Int32Array(text.length);
  for (let at = text.length - 1; at >= 0; at--) {
    if (isOpening(text.charCodeAt(at))) ends[at] = endOf(text, at, ends);
  }
  return ends;
}

const failAt = (text: string, at: number): number => (at >= text.length ? CUT_OFF : NO_VALUE);

/** Texts are not checked for what JSON forbids in them: whoever reads the value does that. */
function endOf(text: string, start: number, ends: Int32Array): number {
  const isObject = text.charCodeAt(start) === OPEN_OBJECT;
  const closing = isObject ? CLOSE_OBJECT : CLOSE_ARRAY;
  let at = afterBlanks(text, start + 1);
  if (text.charCodeAt(at) === closing) return at + 1;
  for (;;) {
    at = endOfMember(text, isObject ? endOfName(text, at) : at, ends);
    if (at <= 0) return at;
    at = afterBlanks(text, at);
    const unit = text.charCodeAt(at);
    if (unit !== COMMA) return unit === closing ? at + 1 : failAt(text, at);
    at = afterBlanks(text, at + 1);
  }
}

/** The place of its value. */
function endOfName(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return failAt(text, start);
  const at = afterBlanks(text, endOfString(text, start) + 1);
  return text.charCodeAt(at) === COLON ? afterBlanks(text, at + 1) : failAt(text, at);
}

/** `start` is what `endOfName` found, where there is a name. */
function endOfMember(text: string, start: number, ends: Int32Array): number {
  if (start <= 0) return start;
  const unit = text.charCodeAt(start);
  if (isOpening(unit)) return ends[start] ?? NO_VALUE;
  if (unit !== QUOTE) return endOfWord(text, start);
  const end = endOfString(text, start) + 1;
  return end > text.length ? CUT_OFF : end;
}

const WORD = /[-+.\w]*/y;
/** With those that lenient readers know beside JSON's own: they may take what holds them for the answer. */
const JSON_WORD = /^(?:true|false|null|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const PART_OF_NUMBER = /^-?(?:\d[-+.eE\d]*)?$/;
const NAMES = ['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity'];

/** A word that the text ends in may be the beginning of a longer one. */
function endOfWord(text: string, start: number): number {
  WORD.lastIndex = start;
  const [word = ''] = WORD.exec(text) ?? [];
  const end = start + word.length;
  if (end < text.length) return JSON_WORD.test(word) ? end : NO_VALUE;
  const mayGoOn = PART_OF_NUMBER.test(word) || NAMES.some((name) => name.startsWith(word));
  return mayGoOn ? CUT_OFF : NO_VALUE;
}

/** Not an expression: this is called for every character of some texts, and a match is an object. */
function afterBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
