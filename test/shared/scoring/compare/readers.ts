/** Reads an output in its own way. Undefined where it finds nothing. */
export type Reader = (output: string) => unknown;

type Keep = 'first' | 'last';

/** Brackets of a value, and what a reader makes of the text between them. */
type Value = { readonly value: unknown; readonly end: number } | undefined;

/**
 * Reads much of what readers of JSON5, YAML, Gson and Python, and those that repair JSON, take for an object or array:
 * quotes of any kind, bare names, comments, `=` and `;`, commas that are missing or too many, fences between, and a text that ends early.
 */
class Lenient {
  readonly #text: string;
  readonly #keep: Keep;

  constructor(text: string, keep: Keep) {
    this.#text = text;
    this.#keep = keep;
  }

  valueAt(start: number): Value {
    const first = this.#text.charAt(start);
    if (first === '{') return this.#object(start + 1);
    if (first === '[') return this.#array(start + 1);
    return QUOTES.test(first) ? this.#quoted(start) : this.#bare(start);
  }

  #object(start: number): Value {
    const object: Record<string, unknown> = {};
    for (let at = this.#skip(start); ; ) {
      if (at >= this.#text.length || this.#text[at] === '}') return { value: object, end: at + 1 };
      const name = this.valueAt(at);
      if (name === undefined || typeof name.value === 'object') return undefined;
      at = this.#skip(name.end, BLANKS);
      const separator = /^(?:=>|[:=：＝])/.exec(this.#text.slice(at, at + 2));
      if (separator === null) return undefined;
      const member = this.valueAt(this.#skip(at + separator[0].length, BLANKS));
      if (member === undefined) return undefined;
      const key = String(name.value);
      if (this.#keep === 'last' || !Object.hasOwn(object, key)) object[key] = member.value;
      at = this.#skip(member.end);
    }
  }

  #array(start: number): Value {
    const items: unknown[] = [];
    for (let at = this.#skip(start); ; ) {
      if (at >= this.#text.length || this.#text[at] === ']') return { value: items, end: at + 1 };
      const item = this.valueAt(at);
      if (item === undefined) return undefined;
      items.push(item.value);
      at = this.#skip(item.end);
    }
  }

  #quoted(start: number): Value {
    const opening = this.#text.charAt(start);
    const closing = { '“': '”', '‘': '’', '«': '»' }[opening] ?? opening;
    let value = '';
    for (let at = start + 1; at < this.#text.length; at++) {
      const character = this.#text.charAt(at);
      if (character === closing) return { value, end: at + 1 };
      const hex = /^\\u([0-9a-f]{4})/i.exec(this.#text.slice(at, at + 6))?.[1];
      if (hex !== undefined) value += String.fromCharCode(Number.parseInt(hex, 16));
      else value += character === '\\' ? this.#text.charAt(at + 1) : character;
      at += hex === undefined ? Number(character === '\\') : 5;
    }
    return { value, end: this.#text.length };
  }

  #bare(start: number): Value {
    const [word = ''] = /^[\p{L}\p{N}_.$+-]+/u.exec(this.#text.slice(start)) ?? [];
    return word === '' ? undefined : { value: word, end: start + word.length };
  }

  #skip(start: number, pattern = BLANKS_AND_COMMAS): number {
    const [skipped = ''] = pattern.exec(this.#text.slice(start)) ?? [];
    return start + skipped.length;
  }
}

const QUOTES = /["'`“‘«]/;
const BLANKS = /^(?:\s|`{3}\w*|\/\/.*|#.*|\/\*[\s\S]*?\*\/)+/;
const BLANKS_AND_COMMAS = /^(?:[\s,;，；]|`{3}\w*|\/\/.*|#.*|\/\*[\s\S]*?\*\/)+/;

/** The first object or array of a text, or the last. */
function valueIn(text: string, which: Keep, read: (start: number) => Value): unknown {
  const values: unknown[] = [];
  for (let at = 0; at < text.length; ) {
    const found = '{['.includes(text.charAt(at)) ? read(at) : undefined;
    if (found !== undefined) values.push(found.value);
    at = found?.end ?? at + 1;
  }
  return which === 'first' ? values[0] : values.at(-1);
}

/** A strict parser that finds where a value ends: by trying every closing bracket. */
function strictAt(text: string, start: number): Value {
  for (let end = start + 1; end <= text.length; end++) {
    if (!'}]'.includes(text.charAt(end - 1))) continue;
    try {
      return { value: JSON.parse(text.slice(start, end)), end };
    } catch {}
  }
  return undefined;
}

const blockOf = (text: string): string => /(?:```|~~~)\w*\n([\s\S]*?)(?:```|~~~|$)/.exec(text)?.[1] ?? '';
const strict = (which: Keep) => (text: string) => valueIn(text, which, (at) => strictAt(text, at));
const lenient = (which: Keep, keep: Keep) => (text: string) => {
  const reader = new Lenient(text, keep);
  return valueIn(text, which, (at) => reader.valueAt(at));
};

/** Each finds its value in another way, and keeps the first or the last of two equal names. */
export const READERS: Readonly<Record<string, Reader>> = {
  'strict, first value': strict('first'),
  'strict, last value': strict('last'),
  'lenient, first value, first name': lenient('first', 'first'),
  'lenient, first value, last name': lenient('first', 'last'),
  'lenient, last value, first name': lenient('last', 'first'),
  'lenient, last value, last name': lenient('last', 'last'),
  'strict, of the first block': (text) => strict('first')(blockOf(text)),
  'lenient, of the first block': (text) => lenient('first', 'first')(blockOf(text)),
  'strict, behind the brace that the model was given': (text) => strict('first')(`{${text}`),
};
