import { visible } from '../kit/visible.ts';
import { INSTEAD, OF_TWO_MEANINGS } from './instead.ts';
import {
  ASTRAL_IN_CLASS,
  ASTRAL_REPEATED,
  BRACED,
  CODE_POINT,
  COMPLETE,
  DELIMITED,
  DIGITS,
  EDGE_OF_OTHER_LETTERS,
  EMPTY_CLASS,
  FOREIGN,
  groupsOf,
  INLINE_FLAGS,
  INNER_CLASS,
  INTERSECTED,
  INTERSECTION,
  innerFault,
  matchAt,
  NEGATION,
  POSIX,
  posixFault,
} from './parts.ts';

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
  for (let index = 0; index < pattern.length; ) {
    const fault = reader.faultAt(index);
    if (fault !== null) return fault;
    index = reader.next;
  }
  return null;
}

/** Reads a pattern once from its start, as JavaScript does. */
class Reader {
  /** Where the next part begins. */
  next = 0;
  readonly #pattern: string;
  readonly #rules: PatternRules;
  #isInClass = false;
  /** A class began with `[^]`, which ends it here and not elsewhere. */
  #hasOpenNegation = false;
  #groups: ReturnType<typeof groupsOf> | undefined;

  constructor(pattern: string, rules: PatternRules) {
    this.#pattern = pattern;
    this.#rules = rules;
  }

  faultAt(index: number): string | null {
    const unit = this.#pattern[index];
    if (unit === '\\') {
      this.next = index + 2;
      return this.#escapeFault(index);
    }
    this.next = index + 1;
    return this.#isInClass ? this.#classFault(index, unit) : this.#plainFault(index, unit);
  }

  #plainFault(index: number, unit: string | undefined): string | null {
    if (unit === '[') return this.#openClass(index);
    if (unit === ']') return this.#hasOpenNegation ? NEGATION : null;
    for (const [expression, why] of FOREIGN) {
      const part = matchAt(expression, this.#pattern, index);
      if (part !== undefined) return `holds ${visible(part)}, ${why}`;
    }
    const flags = matchAt(INLINE_FLAGS, this.#pattern, index);
    return flags === undefined
      ? this.#halvesFault(ASTRAL_REPEATED, index)
      : `holds ${flags}, which is not known here: leave it out, and ${this.#rules.toFlags}`;
  }

  #openClass(index: number): string | null {
    const posix = matchAt(POSIX, this.#pattern, index);
    if (posix !== undefined) return posixFault(posix);
    if (this.#pattern.startsWith('[]', index)) return EMPTY_CLASS;
    if (this.#pattern.startsWith('[^]', index)) {
      this.#hasOpenNegation = true;
      this.next = index + '[^]'.length;
    } else this.#isInClass = true;
    return null;
  }

  #classFault(index: number, unit: string | undefined): string | null {
    if (unit === ']') this.#isInClass = false;
    if (unit === '&' && matchAt(INTERSECTED, this.#pattern, index) !== undefined) return INTERSECTION;
    if (unit !== '[') return this.#halvesFault(ASTRAL_IN_CLASS, index);
    const posix = matchAt(POSIX, this.#pattern, index);
    if (posix !== undefined) return posixFault(posix);
    const inner = matchAt(INNER_CLASS, this.#pattern, index);
    return inner === undefined ? null : innerFault(inner);
  }

  /** Without Unicode's rules, a character beyond U+FFFF is two. */
  #halvesFault(expression: RegExp, index: number): string | null {
    const part = this.#rules.isUnicode ? undefined : matchAt(expression, this.#pattern, index);
    return part === undefined
      ? null
      : `holds ${part}, of which each half counts here: ${this.#rules.toUnicode}`;
  }

  #escapeFault(index: number): string | null {
    const letter = this.#pattern[index + 1] ?? '';
    if (/[0-9]/.test(letter)) return this.#isInClass ? null : this.#referenceFault(index);
    const elsewhere = this.#isInClass ? undefined : OF_TWO_MEANINGS[letter];
    if (elsewhere !== undefined) return `holds \\${letter}, which is ${elsewhere}`;
    if (letter === 'b') return this.#isInClass ? null : this.#edgeFault(index);
    if (!/[a-z]/i.test(letter) || this.#isKnown(letter, index)) return null;
    const braced = matchAt(BRACED, this.#pattern, index) ?? `\\${letter}`;
    return `holds ${braced}, which is the letter ${letter} here: ${this.#instead(letter, braced)}`;
  }

  /** Where a letter beyond a to z stands on one side of `\\b`, there is an edge only if one of those is on the other side. */
  #edgeFault(index: number): string | null {
    if (matchAt(EDGE_OF_OTHER_LETTERS, this.#pattern, index) === undefined) return null;
    return `holds \\b beside a letter beyond a to z, where it finds no edge of a word: write (?<![\\p{L}\\p{N}_]) before and (?![\\p{L}\\p{N}_]) behind the word${this.#rules.isUnicode ? '' : `, and ${this.#rules.toUnicode}`}`;
  }

  #isKnown(letter: string, index: number): boolean {
    if ('dDfnrsStvwW'.includes(letter)) return true;
    if (letter === 'B') return !this.#isInClass;
    // Where a group has a name, JavaScript refuses whatever is no reference to one.
    if (letter === 'k') return this.#groupsOf().areNamed;
    if (letter === 'p' || letter === 'P') return this.#rules.isUnicode;
    if (matchAt(COMPLETE, this.#pattern, index) !== undefined) return true;
    return this.#rules.isUnicode && matchAt(CODE_POINT, this.#pattern, index) !== undefined;
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
  #referenceFault(index: number): string | null {
    const digits = matchAt(DIGITS, this.#pattern, index + 1) ?? '';
    if (/^0|^[1-3][0-7]{2}/.test(digits) || Number(digits) <= this.#groupsOf().count) return null;
    return `holds \\${digits}, and there is no group ${digits}: correct the number; for the character with this number write \\x and two hexadecimal digits`;
  }

  #groupsOf(): ReturnType<typeof groupsOf> {
    this.#groups ??= groupsOf(this.#pattern);
    return this.#groups;
  }
}
