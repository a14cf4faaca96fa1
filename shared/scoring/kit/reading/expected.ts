import { type Shown, show } from '../debugOutput.ts';
import { type NormalForm, normalizedTexts } from './normalize.ts';
import { countParts, folded, type PartCounts } from './parts.ts';

/** The expected value of a case, with derived values. It is kept with the prepared suite between runs. */
export class Expected {
  readonly value: unknown;
  #holdsLarge: boolean | undefined;
  #lowerCase: string | undefined;
  #shown: Shown | undefined;
  #parts: PartCounts | undefined;
  #foldedParts: PartCounts | undefined;
  #normalized: Expected | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get isMissing(): boolean {
    return this.value === null || this.value === undefined;
  }

  /** Some number is beyond those that JSON readers keep to the last digit. */
  get holdsLarge(): boolean {
    this.#holdsLarge ??= holdsLarge(this.value);
    return this.#holdsLarge;
  }

  get lowerCase(): string {
    this.#lowerCase ??= String(this.value).toLowerCase();
    return this.#lowerCase;
  }

  get shown(): Shown {
    this.#shown ??= show(this.value);
    return this.#shown;
  }

  /** Scorers that compare with it ask for one form only. */
  normalized(form: NormalForm): Expected {
    this.#normalized ??= new Expected(normalizedTexts(this.value, form));
    return this.#normalized;
  }

  parts(caseSensitive: boolean): PartCounts {
    this.#parts ??= countParts(this.value);
    if (caseSensitive) return this.#parts;
    this.#foldedParts ??= folded(this.#parts);
    return this.#foldedParts;
  }
}

export function isLargeNumber(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

export function holdsLarge(value: unknown): boolean {
  if (typeof value === 'number') return isLargeNumber(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLarge);
}
