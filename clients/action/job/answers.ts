import { Problems, problemLine } from '../../files/read/problems.ts';
import { type AnswerReading, type Answers, readAnswers } from '../../gate/outputs/readAnswers.ts';
import { Problem, stopAtErrors } from '../problem.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** What the candidate answered, in the file of an input. */
export async function readInputAnswers(
  runner: Runner,
  inputs: Inputs,
  cases: AnswerReading['cases'],
): Promise<Answers> {
  const [outputFile, outputsFile] = [inputs.text('output-file'), inputs.text('outputs-file')];
  if ((outputFile === '') === (outputsFile === ''))
    throw new Problem('Set either output-file or outputs-file.');
  const map = inputs.text('outputs-map') || undefined;
  if (map !== undefined && outputsFile === '') throw new Problem('Input outputs-map is for outputs-file.');
  const name = outputFile || outputsFile;
  const file = { name, source: { path: runner.inWorkspace(name) } };
  const problems = new Problems();
  const sources = outputFile === '' ? { outputs: [file] } : { output: file };
  const answers = await readAnswers(sources, problems, { map, cases, wrongMap });
  stopAtErrors(problems);
  for (const warning of problems.sorted()) runner.annotate('warning', 'evalgate', problemLine(warning));
  if (answers === undefined) throw new Problem(`There is no output in ${name}.`);
  return answers;
}

const wrongMap = (why: string): Problem =>
  new Problem(`Input outputs-map: ${why}. Such as case=$.id,output=$.response.text`);
