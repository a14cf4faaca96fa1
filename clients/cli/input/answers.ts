import type { OutputItem } from '../../sdk/index.ts';
import type { Asked } from '../../suites/outputs/promptfoo.ts';
import {
  type CheckItems,
  type OutputLines,
  type OutputsReading,
  outputsText,
  readOutput,
  readOutputs,
  type TextSource,
} from '../../suites/read/outputs.ts';
import type { Problems } from '../../suites/read/problems.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';
import { oneOf } from './options.ts';
import { placeOf, sourceOf } from './readText.ts';

export interface AnswerOptions {
  readonly output?: string;
  readonly outputs?: string;
  readonly map?: string;
}

/** What the candidate answered: one output, or outputs with their lines. */
export type Answers =
  | { readonly output: string; readonly outputs?: undefined; readonly file?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly OutputItem[]; readonly file: OutputLines };

export interface Reading {
  readonly check?: CheckItems;
  /** The cases of the suite: results of promptfoo name none. */
  readonly asked: () => Promise<readonly Asked[]>;
}

/** Of `--output` or `--outputs`. Undefined where it cannot be had: `problems` say why. */
export async function readAnswers(
  io: Io,
  options: AnswerOptions,
  problems: Problems,
  { check, asked }: Reading,
): Promise<Answers | undefined> {
  const { output, outputs } = oneOf(options);
  if (outputs !== undefined) {
    const source = await sourceOf(io, outputs);
    const textsOf = await textsOfForm(source, options.map, asked);
    const file = readOutputs(placeOf(outputs), source, problems, { check, textsOf });
    return { outputs: file.items, file };
  }
  if (options.map !== undefined) throw new Problem('--map is for --outputs.');
  const text = readOutput(placeOf(output), await sourceOf(io, output), problems);
  return text === undefined ? undefined : { output: text };
}

const OTHER_FORM = /^\s*\{(?![^\n]*"case"\s*:)/;

/** The code for other forms is loaded where a file seems to have one. */
async function textsOfForm(
  source: TextSource,
  map: string | undefined,
  asked: Reading['asked'],
): Promise<OutputsReading['textsOf']> {
  const text = outputsText(source) ?? '';
  if (map === undefined && !OTHER_FORM.test(text)) return undefined;
  const foreign = await import('../../suites/outputs/foreign.ts');
  if (map !== undefined) return foreign.textsOfMapping(await mappingOf(map));
  const form = foreign.formOf(text);
  if (form === 'inspect') return foreign.textsOfInspect;
  return form === 'promptfoo' ? foreign.textsOfPromptfoo(await asked()) : undefined;
}

async function mappingOf(given: string) {
  const { mappingOf: read } = await import('../../suites/outputs/mapping.ts');
  const mapping = read(given);
  if (typeof mapping !== 'string') return mapping;
  throw new Problem(
    `--map: ${mapping}.`,
    "Such as --map 'case=$.id,output=$.response.text', or names of columns",
  );
}
