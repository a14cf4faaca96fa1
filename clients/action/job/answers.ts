import type { OutputItem } from '../../sdk/index.ts';
import { readOutput, readOutputs } from '../../suites/read/outputs.ts';
import { Problems, problemLine } from '../../suites/read/problems.ts';
import { Problem, stopAtErrors } from '../problem.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** What the candidate answered. */
export interface Answers {
  readonly output?: string | undefined;
  readonly outputs?: readonly OutputItem[];
  /** The file's name as given. */
  readonly name: string;
  /** The line of each of `outputs`, from 1. */
  readonly lines: readonly number[];
}

export function readAnswers(runner: Runner, inputs: Inputs): Answers {
  const [one, many] = [inputs.text('output-file'), inputs.text('outputs-file')];
  if ((one === '') === (many === '')) throw new Problem('Set either output-file or outputs-file.');
  const name = one || many;
  const source = { path: runner.inWorkspace(name) };
  const problems = new Problems();
  const answers =
    one === ''
      ? outputsOf(readOutputs(name, source, problems))
      : { output: readOutput(name, source, problems), name, lines: [] };
  stopAtErrors(problems);
  for (const warning of problems.sorted()) runner.annotate('warning', 'evalgate', problemLine(warning));
  return answers;
}

const outputsOf = ({ items, ...file }: ReturnType<typeof readOutputs>): Answers => ({
  ...file,
  outputs: items,
});
