import { Problems, problemLine } from '../../files/read/problems.ts';
import { type Form, textsOfForm } from '../../importers/outputs/form.ts';
import type { OutputLines } from '../../importers/outputs/outputLines.ts';
import { readOutput, readOutputs, type TextSource } from '../../importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../sdk/index.ts';
import { Problem, stopAtErrors } from '../problem.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** What the candidate answered. */
export interface Answers {
  readonly output?: string | undefined;
  readonly outputs?: readonly OutputItem[];
  /** Where each of `outputs` stands. */
  readonly file?: OutputLines;
}

export async function readAnswers(runner: Runner, inputs: Inputs, asked: Form['asked']): Promise<Answers> {
  const [one, many] = [inputs.text('output-file'), inputs.text('outputs-file')];
  if ((one === '') === (many === '')) throw new Problem('Set either output-file or outputs-file.');
  const map = inputs.text('outputs-map') || undefined;
  if (map !== undefined && many === '') throw new Problem('Input outputs-map is for outputs-file.');
  const name = one || many;
  const source = { path: runner.inWorkspace(name) };
  const problems = new Problems();
  const answers =
    one === ''
      ? await outputsOf(name, source, problems, { map, asked })
      : { output: readOutput(name, source, problems) };
  stopAtErrors(problems);
  for (const warning of problems.sorted()) runner.annotate('warning', 'evalgate', problemLine(warning));
  return answers;
}

async function outputsOf(name: string, source: TextSource, problems: Problems, form: Form): Promise<Answers> {
  const textsOf = await textsOfForm(source, form);
  if (typeof textsOf === 'string') {
    throw new Problem(`Input outputs-map: ${textsOf}. Such as case=$.id,output=$.response.text`);
  }
  const file = readOutputs(name, source, problems, { textsOf });
  return { outputs: file.items, file };
}
