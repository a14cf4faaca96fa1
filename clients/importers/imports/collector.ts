import { caseEntrySchema } from '../../files/check/fileSchemas.ts';
import { inWords } from '../../files/read/parts.ts';
import type { Place } from '../../files/read/problems.ts';
import type { Imported } from './imported.ts';
import { looksLikeKey } from './keys.ts';
import { type Difference, type Source, Tally } from './report.ts';
import { Scorers } from './scorers.ts';
import { whyTooLarge } from './size.ts';
import type { CaseEntry, Fields, ImportedOutput, Note, Question, Scorer } from './types.ts';

interface Counted {
  readonly place: Place;
  readonly type: string;
}

interface Found {
  readonly scorer: Scorer;
  readonly differences?: readonly (string | Difference)[];
}

interface Read {
  readonly source: Source;
  readonly config: string;
  readonly unread: readonly Note[];
  readonly notes: readonly Note[];
}

const ALWAYS_PASSES = 'it always passes there (weight 0 or metricOnly), and is inactive here';

/** Makes a suite, case by case. */
export class Collector {
  readonly #slug: string;
  readonly #tally = new Tally();
  readonly #scorers: Scorers;
  readonly #cases: CaseEntry[] = [];
  readonly #questions: Question[] = [];
  readonly #outputs: ImportedOutput[] = [];
  readonly #size = { cases: 0, bytes: 0, inputBytes: 0 };

  constructor(slug: string) {
    this.#slug = slug;
    this.#scorers = new Scorers(slug);
  }

  /** Adds the case that `entryOf` makes, unless the service would refuse it. The key of an active one. */
  async add(
    counted: Counted,
    { scorer, differences = [] }: Found,
    entryOf: (scorer: string) => CaseEntry,
  ): Promise<string | undefined> {
    const known = await this.#scorers.entryOf(scorer);
    if ('why' in known) return this.refuse(counted, known.why);
    const entry = entryOf(known.key);
    const { success, error } = caseEntrySchema.safeParse(entry);
    if (!success)
      return this.refuse(
        counted,
        error.issues.map(({ path, message }) => `${inWords(path)}: ${message}`)[0] ?? '',
      );
    const isIdle = entry.is_active === false;
    this.#tally.mapped(counted, isIdle ? [...differences, ALWAYS_PASSES] : differences);
    this.#size.cases++;
    this.#size.bytes += Buffer.byteLength(JSON.stringify(entry));
    this.#cases.push(entry);
    return isIdle ? undefined : entry.key;
  }

  refuse(counted: Counted, why: string): undefined {
    this.#tally.notMapped(counted, why);
  }

  /** Cases that one answer is for. */
  ask(keys: readonly string[], input: Fields): void {
    if (keys.length > 0) this.#questions.push({ case: keys, input });
  }

  /** Undefined where there is none for any case, false where it looks like a key. */
  answer(keys: readonly string[], output: unknown): boolean | undefined {
    if (output === undefined || output === null || keys.length === 0) return undefined;
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    if (looksLikeKey(text)) return false;
    this.#outputs.push({ case: keys, output: text });
    return true;
  }

  /** Why it is too large with this input, which each of its cases has. */
  whyTooLarge(input?: Fields): string | undefined {
    if (input !== undefined) this.#size.inputBytes += Buffer.byteLength(JSON.stringify(input));
    return whyTooLarge({ ...this.#size, assertions: this.#tally.count });
  }

  imported(name: string | undefined, read: Read): Imported {
    return {
      suite: { slug: this.#slug, name },
      scorers: this.#scorers.all(),
      cases: this.#cases,
      questions: this.#questions,
      outputs: this.#outputs,
      report: this.#tally.report(read),
    };
  }
}
