import type { OutputItem } from '../../sdk/index.ts';
import { type Form, textsOfForm } from '../../suites/outputs/form.ts';
import { type CheckItems, type OutputLines, readOutput, readOutputs } from '../../suites/read/outputs.ts';
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

export interface Reading extends Pick<Form, 'asked'> {
  readonly check?: CheckItems;
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
    const textsOf = await textsOfForm(source, { map: options.map, asked });
    if (typeof textsOf === 'string') {
      const hint = "Such as --map 'case=$.id,output=$.response.text', or names of columns";
      throw new Problem(`--map: ${textsOf}.`, hint);
    }
    const file = readOutputs(placeOf(outputs), source, problems, { check, textsOf });
    return { outputs: file.items, file };
  }
  if (options.map !== undefined) throw new Problem('--map is for --outputs.');
  const text = readOutput(placeOf(output), await sourceOf(io, output), problems);
  return text === undefined ? undefined : { output: text };
}
