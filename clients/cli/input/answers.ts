import { statSync } from 'node:fs';
import path from 'node:path';
import type { Problems } from '../../files/read/problems.ts';
import { type Form, textsOfForm } from '../../importers/outputs/form.ts';
import { joined, type OutputLines } from '../../importers/outputs/outputLines.ts';
import { type CheckItems, readOutput, readOutputs } from '../../importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../sdk/index.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';
import { oneOf } from './options.ts';
import { placeOf, sourceOf } from './readText.ts';

export interface AnswerOptions {
  readonly output?: string;
  readonly outputs?: readonly string[];
  readonly map?: string;
}

/** What the candidate answered: one output, or outputs with their lines. */
export type Answers =
  | { readonly output: string; readonly outputs?: undefined; readonly file?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly OutputItem[]; readonly file: OutputLines };

export interface Reading extends Pick<Form, 'asked'> {
  readonly check?: CheckItems | undefined;
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
    refuseTwice(io, outputs);
    const files: OutputLines[] = [];
    for (const file of outputs)
      files.push(await outputsIn(io, file, problems, { check, asked, map: options.map }));
    const file = joined(files, problems);
    return { outputs: file.items, file };
  }
  if (options.map !== undefined) throw new Problem('--map is for --outputs.');
  const text = readOutput(placeOf(output), await sourceOf(io, output), problems);
  return text === undefined ? undefined : { output: text };
}

/** A case that takes samples would be judged on the same ones again. */
function refuseTwice({ cwd }: Io, files: readonly string[]): void {
  const known = new Set<string>();
  for (const file of files) {
    const found = statSync(path.resolve(cwd, file), { throwIfNoEntry: false });
    const id = file === '-' || found === undefined ? file : `${found.dev}:${found.ino}`;
    if (known.has(id)) {
      const hint = 'Name each file once: their outputs are joined.';
      throw new Problem(`--outputs ${file} is given twice, or under another name.`, hint);
    }
    known.add(id);
  }
}

async function outputsIn(
  io: Io,
  file: string,
  problems: Problems,
  { check, ...form }: Reading & Form,
): Promise<OutputLines> {
  const source = await sourceOf(io, file);
  const textsOf = await textsOfForm(source, form);
  if (typeof textsOf !== 'string') return readOutputs(placeOf(file), source, problems, { check, textsOf });
  const hint = "Such as --map 'case=$.id,output=$.response.text', or names of columns";
  throw new Problem(`--map: ${textsOf}.`, hint);
}
