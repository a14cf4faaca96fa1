import { statSync } from 'node:fs';
import { type Problems, startOf } from '../../files/read/problems.ts';
import { Evidence } from '../../importers/outputs/evidence.ts';
import { type Form, textsOfForm } from '../../importers/outputs/form.ts';
import { holdsOutputs } from '../../importers/outputs/forms.ts';
import { joined, type OutputLines } from '../../importers/outputs/outputLines.ts';
import {
  type CheckItems,
  readOutput,
  readOutputs,
  type TextSource,
} from '../../importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../sdk/index.ts';

/** A file of answers, or a stream that was read. */
export interface AnswerSource {
  /** As people named it. */
  readonly name: string;
  readonly source: TextSource;
}

/** One answer for all cases, or answers for each. */
export type AnswerSources =
  | { readonly output: AnswerSource; readonly outputs?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly AnswerSource[] };

/** What the candidate answered: one output, or outputs with their lines. */
export type Answers =
  | { readonly output: string; readonly outputs?: undefined; readonly file?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly OutputItem[]; readonly file: OutputLines };

export interface AnswerReading extends Form {
  /** What the service would say of items, where it does not see them. */
  readonly check?: CheckItems | undefined;
  /** The error for a `map` that cannot be read. */
  readonly wrongMap: (why: string) => Error;
}

const FOR_EACH =
  'holds an output for each case, and would be the one answer to all of them: give it as --outputs, in the action as outputs-file';

/** Undefined where an output cannot be read: `problems` say why. */
export async function readAnswers(
  { output, outputs }: AnswerSources,
  problems: Problems,
  reading: AnswerReading,
): Promise<Answers | undefined> {
  if (output !== undefined) {
    const text = readOutput(output.name, output.source, problems);
    if (text !== undefined && holdsOutputs(text)) problems.error(startOf(output.name), FOR_EACH);
    return text === undefined ? undefined : { output: text };
  }
  reportRepeatedFiles(outputs, problems);
  const evidence = new Evidence();
  const files: OutputLines[] = [];
  for (const file of outputs) files.push(await linesOf(file, problems, { ...reading, evidence }));
  const file = joined(files, problems);
  const { reportChangedInputs } = await import('./questions.ts');
  await reportChangedInputs(file, problems, reading.cases);
  return { outputs: file.items, file };
}

async function linesOf(
  { name, source }: AnswerSource,
  problems: Problems,
  { check, wrongMap, evidence, ...form }: AnswerReading & { readonly evidence: Evidence },
): Promise<OutputLines> {
  const textsOf = await textsOfForm(source, form, evidence);
  if (typeof textsOf === 'string') throw wrongMap(textsOf);
  return readOutputs(name, source, problems, { check, textsOf });
}

/** What a file holds would count twice. */
function reportRepeatedFiles(files: readonly AnswerSource[], problems: Problems): void {
  const names = new Map<string, string>();
  for (const { name, source } of files) {
    if (!('path' in source)) continue;
    const { dev, ino } = statSync(source.path, { bigint: true, throwIfNoEntry: false }) ?? {};
    const id = `${dev}:${ino}`;
    const known = names.get(id);
    if (ino === undefined) continue;
    if (known === undefined) names.set(id, name);
    else problems.error(startOf(name), `is the file ${known}, which is given already: leave one out`);
  }
}
