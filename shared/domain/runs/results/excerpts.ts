import type { Suite } from '../../../contracts/suites.ts';
import type { Trace } from '../../../scoring/kit/trace.ts';
import type { CaseTexts } from '../../suites/chains/members.ts';
import type { ScoredCase } from '../ports.ts';

const EXCERPT_CHARACTERS = 2_000;
/** What a run keeps of excerpts. */
export const EXCERPTS_BYTES_MAX = 2_000_000;
/** Inputs of the largest size take 5 MB. */
const CASES_READ_AT_ONCE = 20;
const NONE_READ: ReadonlyMap<string, Texts> = new Map();
/** What has to be kept of a text for its excerpt. */
const EXCERPT_SOURCE_CHARACTERS = EXCERPT_CHARACTERS + 1;

/** A result with what its excerpts are taken of. */
export interface Excerptible {
  readonly result: ScoredCase;
  /** The sample that decides; the first one where none decides. */
  readonly sample: Shown | undefined;
}

interface Shown {
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly input?: unknown;
  /** The same, where a model judges the output. */
  readonly judgedInput?: unknown;
  readonly trace?: Trace | undefined;
  /** In place of the trace, which takes more memory. */
  readonly shownTrace?: string | undefined;
}

export type Texts = Pick<CaseTexts, 'input' | 'expected'>;

interface Requested {
  readonly keep: Suite['keep_outputs'];
  readonly bytesMax: number;
  /** Of the suite as it was judged. */
  readonly readTexts: (caseIds: readonly string[]) => Promise<ReadonlyMap<string, Texts>>;
}

/** `texts`: where they were read for excerpts. */
export interface Excerpted {
  readonly result: ScoredCase;
  readonly texts: Texts | undefined;
}

/** The results with excerpts of what was asked, expected and answered, as far as they fit: the gravest first. */
export async function withExcerpts(
  cases: readonly Excerptible[],
  { keep, bytesMax, readTexts }: Requested,
): Promise<Excerpted[]> {
  const kept = cases.filter(({ result }) => keep === 'all' || (keep === 'failed' && !result.passed));
  const taken = new Map<ScoredCase, { readonly excerpts: Excerpts; readonly texts: Texts | undefined }>();
  const room = new Room(bytesMax);
  const gravestFirst = kept.toSorted((one, other) => gravity(other.result) - gravity(one.result));
  let isRoomLeft = bytesMax > 0;
  for (let start = 0; start < gravestFirst.length && isRoomLeft; start += CASES_READ_AT_ONCE) {
    const some = gravestFirst.slice(start, start + CASES_READ_AT_ONCE);
    // A verdict is worth more than an excerpt.
    const read = await readTexts(some.map(({ result }) => result.case_id)).catch(() => NONE_READ);
    const before = taken.size;
    for (const { result, sample } of some) {
      const texts = read.get(result.case_id);
      const excerpts = excerptsOf(texts, sample && (await withShownTrace(sample)));
      if (room.takes(excerpts)) taken.set(result, { excerpts, texts });
    }
    isRoomLeft = taken.size > before;
  }
  const isKept = new Set(kept.map(({ result }) => result));
  return cases.map(({ result }) => {
    const { excerpts, texts } = taken.get(result) ?? {};
    if (excerpts !== undefined) return { result: { ...result, ...excerpts }, texts };
    return { result: isKept.has(result) ? { ...result, excerpts_cut: true } : result, texts };
  });
}

/** Few runs have traces: what shows them is loaded with the first. */
async function withShownTrace(sample: Shown): Promise<Shown> {
  const { trace } = sample;
  return trace === undefined ? sample : { ...sample, shownTrace: await shownTrace(trace) };
}

export const shownTrace = async (trace: Trace): Promise<string> =>
  (await import('../../../scoring/trace/excerpt.ts')).traceExcerpt(trace);

const gravity = ({ must_pass, weight }: ScoredCase): number => (must_pass ? 1e9 : 0) + (weight ?? 0);

type Excerpts = Pick<
  ScoredCase,
  'input_excerpt' | 'run_input_excerpt' | 'expected_excerpt' | 'output_excerpt' | 'trace_excerpt' | 'cut'
>;

/** Of what is known of a case, and of what was sent for it. */
export function excerptsOf(known: Partial<Texts> | undefined, sample?: Omit<Shown, 'trace'>): Excerpts {
  const caseInput = textOf(known?.input);
  const texts = Object.entries({
    input_excerpt: caseInput ?? textOf(sample?.input),
    run_input_excerpt: caseInput && textOf(sample?.judgedInput),
    expected_excerpt: textOf(known?.expected),
    output_excerpt: sample?.output,
    trace_excerpt: sample?.shownTrace,
  }).flatMap(([name, text]) => (text == null ? [] : [[name, text] as const]));
  const isCut = texts.some(([, text]) => text.length > EXCERPT_CHARACTERS);
  const excerpts = Object.fromEntries(texts.map(([name, text]) => [name, excerpt(text)]));
  return { ...excerpts, ...(isCut && { cut: true as const }) };
}

/** Null for nothing. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object' && Object.keys(value).length === 0 && !Array.isArray(value)) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As much of a value as its excerpt takes, in a text of its own: a slice would hold the whole. */
export function sourceOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === null ? undefined : JSON.parse(JSON.stringify(text.slice(0, EXCERPT_SOURCE_CHARACTERS)));
}

/** Never half a character. */
export function excerpt(text: string): string {
  const cut = text.slice(0, EXCERPT_CHARACTERS);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A JSON value with the excerpts of its texts. */
export function shortTexts<T>(value: T): { readonly value: T; readonly isCut: boolean } {
  let isCut = false;
  const json = JSON.stringify(value, (_, text: unknown) => {
    const short = typeof text === 'string' ? excerpt(text) : text;
    isCut ||= short !== text;
    return short;
  });
  return { value: isCut ? JSON.parse(json) : value, isCut };
}

/** A text that several results show is kept, and counted, once. */
class Room {
  readonly #seen = new Set<string>();
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  takes({ cut: _, ...excerpts }: Excerpts): boolean {
    const texts = Object.values(excerpts).filter((text) => text != null);
    const unseen = [...new Set(texts)].filter((text) => !this.#seen.has(text));
    const needed = unseen.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (needed > this.#left) return false;
    this.#left -= needed;
    for (const text of unseen) this.#seen.add(text);
    return true;
  }
}
