import { CONTRACT_LIMITS } from '../../shared/contracts/base/common.ts';
import {
  OUTPUTS_MAX,
  type OutputItem,
  outputItemsSchema,
  outputSchema,
} from '../../shared/contracts/outputs.ts';
import { decode, type Limits, megabytes, type ReadText, readText } from './files/readText.ts';
import { inWords } from './read/issues.ts';
import { atOnePlace, linesOf, readJson } from './read/jsonText.ts';
import { type Place, type Problems, startOf } from './read/problems.ts';

/** One output. */
const OUTPUT_MAX: Limits = { bytesMax: CONTRACT_LIMITS.outputBytes, shown: '1 MB' };
/** A file of outputs: as much as a request may unpack to. */
const OUTPUTS_FILE_MAX = megabytes(32);

/** Where text comes from: the path of a file, or what was read of a stream already. */
export type TextSource = { readonly path: string } | { readonly bytes: Uint8Array };

const readSource = (source: TextSource, limits: Limits): ReadText =>
  'path' in source ? readText(source.path, limits) : decode(source.bytes, limits);

/** One output. An empty one is an answer, with a warning. Undefined where there is none: `problems` say why. */
export function readOutput(name: string, source: TextSource, problems: Problems): string | undefined {
  const read = readSource(source, OUTPUT_MAX);
  if ('why' in read) {
    problems.error(startOf(name), `the output ${read.why}`);
    return undefined;
  }
  if (read.text === '') problems.warn(startOf(name), 'the output is empty, and is judged as it is');
  const parsed = outputSchema.safeParse(read.text);
  for (const { message } of parsed.error?.issues ?? [])
    problems.error(startOf(name), `the output is too large: ${message}`);
  return parsed.data;
}

/** The outputs of a JSONL file, one object a line. `problems` say which lines are wrong. */
export function readOutputs(name: string, source: TextSource, problems: Problems): OutputItem[] {
  const read = readSource(source, OUTPUTS_FILE_MAX);
  if ('why' in read) {
    problems.error(startOf(name), `the file ${read.why}`);
    return [];
  }
  const items: OutputItem[] = [];
  for (const { line, text } of linesOf(read.text)) {
    const place = { ...startOf(name), line };
    if (items.length >= OUTPUTS_MAX) {
      problems.error(place, `is one line too many: a run sends at most ${OUTPUTS_MAX} outputs`);
      return items;
    }
    const document = readJson(text, place, problems);
    if (document !== undefined) items.push(...itemsOf(document.value, place, problems));
  }
  if (items.length === 0 && !problems.hasErrors)
    problems.error(startOf(name), 'has no output: write one a line');
  return items;
}

/** A line whose `case` is a list stands for one item for each of them. */
function itemsOf(value: unknown, place: Place, problems: Problems): OutputItem[] {
  const cases = isRecord(value) && Array.isArray(value.case) ? value.case : undefined;
  const sent =
    cases === undefined ? [value] : cases.map((one: unknown) => ({ ...(value as object), case: one }));
  const parsed = outputItemsSchema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const document = atOnePlace(value, place);
  for (const { path, message } of parsed.error.issues) {
    const [, ...within] = path;
    const field = within.length === 0 ? '' : `${inWords(within)} `;
    problems.error(
      document.at(path),
      `is no output: ${field}${message.replace(/^Invalid input: /, 'is wrong: ')}`,
    );
  }
  return [];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
