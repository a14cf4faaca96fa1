import { statSync } from 'node:fs';
import path from 'node:path';
import type { Problems } from '../../files/read/problems.ts';
import {
  type AnswerReading,
  type AnswerSource,
  type AnswerSources,
  type Answers,
  readAnswers,
} from '../../gate/outputs/readAnswers.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';
import { oneOf } from './options.ts';
import { placeOf, sourceOf } from './readText.ts';

export interface AnswerOptions {
  readonly output?: string;
  readonly outputs?: readonly string[];
  readonly map?: string;
}

/** Of `--output` or `--outputs`. Undefined where it cannot be had: `problems` say why. */
export async function readGivenAnswers(
  io: Io,
  options: AnswerOptions,
  problems: Problems,
  reading: Pick<AnswerReading, 'check' | 'cases'>,
): Promise<Answers | undefined> {
  return readAnswers(await sourcesOf(io, options), problems, { ...reading, map: options.map, wrongMap });
}

async function sourcesOf(io: Io, options: AnswerOptions): Promise<AnswerSources> {
  const { output, outputs } = oneOf(options);
  const read = async (file: string): Promise<AnswerSource> => ({
    name: placeOf(file),
    source: await sourceOf(io, file),
  });
  if (outputs !== undefined) {
    refuseTwice(io, outputs);
    return { outputs: await Promise.all(outputs.map(read)) };
  }
  if (options.map !== undefined) throw new Problem('--map is for --outputs.');
  return { output: await read(output) };
}

/** A case that takes samples would be judged on the same ones again. */
function refuseTwice({ cwd }: Io, files: readonly string[]): void {
  const known = new Set<string>();
  for (const file of files) {
    const stats = statSync(path.resolve(cwd, file), { throwIfNoEntry: false });
    const id = file === '-' || stats === undefined ? file : `${stats.dev}:${stats.ino}`;
    if (known.has(id)) {
      const hint = 'Name each file once: their outputs are joined.';
      throw new Problem(`--outputs ${file} is given twice, or under another name.`, hint);
    }
    known.add(id);
  }
}

const wrongMap = (why: string): Problem =>
  new Problem(`--map: ${why}.`, "Such as --map 'case=$.id,output=$.response.text', or names of columns");
