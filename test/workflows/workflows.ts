import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY_DIR } from '../support/processes.ts';

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly uses?: string; readonly steps?: readonly Step[] }>>;
}

export interface WorkflowFile {
  readonly file: string;
  readonly text: string;
  readonly workflow: Workflow;
}

export const readWorkflow = (file: string): WorkflowFile => {
  const text = readFileSync(path.join(REPOSITORY_DIR, file), 'utf8');
  return { file, text, workflow: parse(text) };
};

/** The workflows of this repository. */
export const workflowFiles = globSync('.github/workflows/*.yml', { cwd: REPOSITORY_DIR })
  .toSorted()
  .map(readWorkflow);

export function stepOf({ file, workflow }: WorkflowFile, job: string, name: string): Step {
  const found = workflow.jobs[job]?.steps?.find((step) => step.name === name);
  if (found === undefined) throw new Error(`${file} has no step "${name}" in its job ${job}.`);
  return found;
}

export const scriptOf = (...place: Parameters<typeof stepOf>): string => stepOf(...place).run ?? '';
