import { isRecord } from '../../files/read/parts.ts';
import { answerFields, type Entry, figures, textOf } from './entry.ts';

type Fields = Readonly<Record<string, unknown>>;

const asFields = (value: unknown): Fields => (isRecord(value) ? value : {});
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const MS = 1_000;

/** A sample of Inspect's log: its id is the key of a case, and epochs are samples of one case. */
export function entryOfInspect(sample: unknown): Entry {
  const { id, output, total_time } = asFields(sample);
  const { input_tokens, output_tokens } = asFields(asFields(output).usage);
  const latency_ms = typeof total_time === 'number' ? Math.round(total_time * MS) : undefined;
  const why = whyNoAnswer(asFields(sample));
  return {
    case: keyOf(id),
    ...answerFields(why === undefined ? answerOf(asFields(output)) : undefined, why),
    ...figures({ latency_ms, input_tokens, output_tokens }),
  };
}

/** Ids are texts or numbers. Of a number that was rounded, and of anything else, no case is known. */
const keyOf = (id: unknown): string => (typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : '');

/** What stopped a sample before its answer was complete, or took it back. Text beside it is no answer. */
function whyNoAnswer({ error, limit, invalidation, output }: Fields): string | undefined {
  if (isGiven(error)) return textOf(asFields(error).message ?? error) || 'error';
  if (isGiven(invalidation)) return `invalidated: ${textOf(asFields(invalidation).reason ?? invalidation)}`;
  if (isGiven(limit)) return `stopped at a limit: ${textOf(asFields(limit).type ?? limit)}`;
  return whyNoOutput(asFields(output));
}

function whyNoOutput({ error, choices = [] }: Fields): string | undefined {
  if (isGiven(error)) return textOf(asFields(error).message ?? error) || 'output.error';
  if (!Array.isArray(choices)) return 'output.choices is no list';
  if (choices.length > 1) return `${choices.length} choices: an output is one answer`;
  const { stop_reason = 'stop' } = asFields(choices[0]);
  return stop_reason === 'stop' ? undefined : `stop_reason: ${textOf(stop_reason) || 'null'}`;
}

/** Solvers may set the completion; else it is the text of the only choice. Undefined where no model answered. */
function answerOf({ choices, completion }: Fields): string | undefined {
  const completionText = typeof completion === 'string' && completion !== '' ? completion : undefined;
  if (!Array.isArray(choices) || choices.length === 0) return completionText;
  const text = textOfContent(asFields(asFields(choices[0]).message).content);
  return text === undefined ? undefined : (completionText ?? text);
}

/** A text, or the texts of a list of blocks. */
function textOfContent(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content
    .map(asFields)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text);
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
}
