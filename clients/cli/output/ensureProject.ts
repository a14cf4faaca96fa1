import { type Evalgate, NotFoundError } from '../../sdk/index.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import { askWhether } from './ask.ts';

interface RequestedProject {
  /** Its slug. */
  readonly project: string;
  readonly name?: string | undefined;
  readonly mayMake: boolean;
}

/** Of the projects that the credential may use. */
export async function slugsOf(gate: Evalgate, signal: AbortSignal): Promise<string[]> {
  const slugs: string[] = [];
  for await (const { slug } of gate.projects.list({}, { signal })) slugs.push(slug);
  return slugs;
}

/** Whether a project was made, which is done where `mayMake` says so, or somebody at the terminal. */
export async function ensureProject(
  { io, terminal }: Context,
  gate: Evalgate,
  { project, name = project, mayMake }: RequestedProject,
): Promise<boolean> {
  const { signal } = io;
  const existing = await gate.projects.get(project, { signal }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (existing !== undefined) return false;
  const isRequested =
    mayMake || (terminal.canAsk && (await askWhether(io, `There is no project ${project}. Make it?`)));
  if (!isRequested) {
    const slugs = await slugsOf(gate, signal);
    const hint = `Make it: --create-project, or evalgate projects create ${project}. Those that there are: ${slugs.join(', ') || 'none'}`;
    throw new Problem(`There is no project ${project}.`, hint);
  }
  await gate.projects.create({ name, slug: project }, { signal });
  terminal.say(`made the project ${project}`);
  return true;
}
