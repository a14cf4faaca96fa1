import { INSTEAD, POSIX_CLASSES } from './instead.ts';

export interface PatternRules {
  readonly isUnicode: boolean;
  /** What to do for a part that only a Unicode pattern may hold. */
  readonly toUnicode: string;
  /** What to write for a flag within the pattern, such as `(?i)`. */
  readonly toFlags: string;
}

/**
 * The first part of a pattern that means something in other engines and is read otherwise here, with what to write; null
 * if there is none. JavaScript takes many of them for plain letters, so that the pattern never matches and a scorer that
 * forbids it clears everything.
 */
export function foreignPart(pattern: string, rules: PatternRules): string | null {
  const literal = DELIMITED.exec(pattern);
  if (literal !== null)
    return `is written between slashes: leave them out, and ${rules.toFlags} for ${literal[1]}; a text that begins with a slash begins with \\/`;
  const reader = new Reader(pattern, rules);
  for (let at = 0; at < pattern.length; ) {
    const fault = reader.faultAt(at);
    if (fault !== null) return fault;
    at = reader.next;
  }
  return null;
}

/** As a program has it, with flags: `/secret/i`. */
const DELIMITED = /^\/(?:\\.|[^/\\])+\/([dgimsuvxy]{1,2})$/s;

/** Reads a pattern once from its start, as JavaScript does. */
class Reader {
  /** Where the next part begins. */
  next = 0;
  readonly #pattern: string;
  readonly #rules: PatternRules;
  #isInClass = false;
  /** A class began with `[^]`, which ends it here and not elsewhere. */
  #hasOpenNegation = false;
  #groups: Groups | undefined;

  constructor(pattern: string, rules: PatternRules) {
    this.#pattern = pattern;
    this.#rules = rules;
  }

  faultAt(at: number): string | null {
    const unit = this.#pattern[at];
    if (unit === '\\') {
      this.next = at + 2;
      return this.#escapeFault(at);
    }
    this.next = at + 1;
    return this.#isInClass ? this.#classFault(at, unit) : this.#plainFault(at, unit);
  }

  #plainFault(at: number, unit: string | undefined): string | null {
    if (unit === '[') return this.#openClass(at);
    if (unit === ']') return this.#hasOpenNegation ? NEGATION : null;
    for (const [expression, why] of FOREIGN) {
      const found = matchAt(expression, this.#pattern, at);
      if (found !== undefined) return `holds ${found}, ${why}`;
    }
    const flags = matchAt(INLINE_FLAGS, this.#pattern, at);
    return flags === undefined
      ? null
      : `holds ${flags}, which is not known here: leave it out, and ${this.#rules.toFlags}`;
  }

  #openClass(at: number): string | null {
    const posix = matchAt(POSIX, this.#pattern, at);
    if (posix !== undefined) return posixFault(posix);
    if (this.#pattern.startsWith('[]', at)) return EMPTY_CLASS;
    if (this.#pattern.startsWith('[^]', at)) {
      this.#hasOpenNegation = true;
      this.next = at + '[^]'.length;
    } else this.#isInClass = true;
    return null;
  }

  #classFault(at: number, unit: string | undefined): string | null {
    if (unit === ']') this.#isInClass = false;
    if (this.#pattern.startsWith('&&[', at)) return INTERSECTION;
    const posix = unit === '[' ? matchAt(POSIX, this.#pattern, at) : undefined;
    return posix === undefined ? null : posixFault(posix);
  }

  #escapeFault(at: number): string | null {
    const letter = this.#pattern[at + 1] ?? '';
    if (/[0-9]/.test(letter)) return this.#isInClass ? null : this.#referenceFault(at);
    if (!/[a-z]/i.test(letter) || this.#isKnown(letter, at)) return null;
    const braced = matchAt(BRACED, this.#pattern, at) ?? `\\${letter}`;
    return `holds ${braced}, which is the letter ${letter} here: ${this.#instead(letter, braced)}`;
  }

  #isKnown(letter: string, at: number): boolean {
    if ('bdDfnrsStvwW'.includes(letter)) return true;
    if (letter === 'B') return !this.#isInClass;
    // Where a group has a name, JavaScript refuses whatever is no reference to one.
    if (letter === 'k') return this.#groupsOf().areNamed;
    if (letter === 'p' || letter === 'P') return this.#rules.isUnicode;
    if (matchAt(COMPLETE, this.#pattern, at) !== undefined) return true;
    return this.#rules.isUnicode && matchAt(CODE_POINT, this.#pattern, at) !== undefined;
  }

  #instead(letter: string, braced: string): string {
    const { toUnicode } = this.#rules;
    if (letter === 'p' || letter === 'P') return toUnicode;
    if (letter === 'u') return `write four hexadecimal digits, such as \\u00e9, or ${toUnicode}`;
    if (letter === 'U') return `write \\u and four hexadecimal digits; for \\u{1f600}, ${toUnicode}`;
    const code = /^\\x\{([\da-f]{1,4})\}$/i.exec(braced)?.[1];
    if (code !== undefined) return `write \\u${code.padStart(4, '0')}`;
    return INSTEAD[letter] ?? `write ${letter} without the backslash if the letter is meant`;
  }

  /** Without such a group, `\1` is the character with that number. Octal numbers of three digits are that everywhere. */
  #referenceFault(at: number): string | null {
    const digits = matchAt(DIGITS, this.#pattern, at + 1) ?? '';
    if (/^0|^[1-3][0-7]{2}/.test(digits) || Number(digits) <= this.#groupsOf().count) return null;
    return `holds \\${digits}, and there is no group ${digits}: correct the number; for the character with this number write \\x and two hexadecimal digits`;
  }

  #groupsOf(): Groups {
    this.#groups ??= groupsOf(this.#pattern);
    return this.#groups;
  }
}

interface Groups {
  readonly count: number;
  readonly areNamed: boolean;
}

const PART = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|\((?!\?)|\(\?<(?![=!])/gs;

function groupsOf(pattern: string): Groups {
  const opened = pattern.match(PART)?.filter((part) => part.startsWith('(')) ?? [];
  return { count: opened.length, areNamed: opened.includes('(?<') };
}

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

const BRACED = /\\[a-z]\{[^{}]{0,20}\}/iy;
/** Escapes that are known if they are complete. */
const COMPLETE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z])/y;
const CODE_POINT = /\\u\{[\da-fA-F]+\}/y;
const DIGITS = /\d{1,9}/y;
const POSIX = /\[([:.=])\^?[a-z]{1,20}\1\]/iy;
const INLINE_FLAGS = /\(\?\^?[a-z]*(?:-[a-z]+)?\)/iy;

/** Outside of classes. JavaScript refuses most of these without saying what to write. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/\{,\d+\}/y, 'which stands for these characters here: write {0, for {,'],
  [/\(\?P</y, 'which is not known here: write (?< for a group with a name'],
  [/\(\?P=\w*\)/y, 'which is not known here: write \\k<name> for what a group with a name matched'],
  [/\(\?'\w*'/y, 'which is not known here: write (?<name> for a group with a name'],
  [/\(\?#[^)]{0,20}/y, 'which is not known here: leave the comment out'],
  [/\(\?>/y, 'which is not known here: write (?: for a group that captures nothing'],
  [/\(\?[|&(R\d+]/y, 'which is not known here: write the alternatives out'],
  [/[*+?]\+/y, 'which is not known here: leave the second + out'],
];

const EMPTY_CLASS =
  'holds [], which no character matches here: write \\] for a bracket at the beginning of a class';
const NEGATION =
  'holds [^] and a ] after it: write [^\\] for a class without the bracket; where any character is meant, write \\] for the bracket after it';
const INTERSECTION =
  'holds &&[ within a class, which stands for these characters here: write a lookahead such as (?=[a-z])[^aeiou]';

function posixFault(found: string): string {
  const instead = POSIX_CLASSES[found.replace(/[^a-z]/gi, '').toLowerCase()];
  const write = instead === undefined ? 'write the characters out' : `write ${instead} within the brackets`;
  return `holds ${found}, which stands for these characters here: ${write}`;
}
