import { isRecord } from '../../files/read/parts.ts';
import { type Entry, figures, said } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;

const of = (value: unknown): Fields => (isRecord(value) ? value : {});
const MS = 1_000;

/** Samples of Inspect's log: their ids are keys of cases, and epochs are samples of one case. */
export const entriesOfInspect = (samples: readonly unknown[]): Entry[] => samples.map(entryOf);

function entryOf(sample: unknown): Entry {
  const { id, output, error, total_time } = of(sample);
  const { choices, completion, error: failure, usage } = of(output);
  const [first] = Array.isArray(choices) ? choices : [];
  const { content } = of(of(first).message);
  const answer = completion || textOfContent(content);
  const { input_tokens, output_tokens } = of(usage);
  const latency_ms = typeof total_time === 'number' ? Math.round(total_time * MS) : undefined;
  const hasFailed = isRecord(error) || (answer === undefined && failure !== undefined);
  return {
    case: keyOf(id),
    ...said(hasFailed ? undefined : answer, of(error).message ?? failure),
    ...figures({ latency_ms, input_tokens, output_tokens }),
  };
}

/** Ids are texts or numbers. Of a number that was rounded, and of anything else, no case is known. */
const keyOf = (id: unknown): string => (typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : '');

/** A text, or the texts of a list of blocks. */
function textOfContent(content: unknown): string | undefined {
  if (typeof content === 'string' || content === undefined) return content;
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block) => of(block))
    .filter(({ type }) => type === 'text')
    .map(({ text }) => String(text))
    .join('');
}
