import { type Evalgate, NotFoundError } from '../../sdk/index.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import { askWhether } from './ask.ts';

/** Whether a project was made, which is done where `mayMake` says so, or somebody at the terminal. */
export async function ensureProject(
  { io, terminal }: Context,
  gate: Evalgate,
  { project, mayMake }: { readonly project: string; readonly mayMake: boolean },
): Promise<boolean> {
  const { signal } = io;
  const found = await gate.projects.get(project, { signal }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (found !== undefined) return false;
  const isWanted =
    mayMake || (terminal.canAsk && (await askWhether(io, `There is no project ${project}. Make it?`)));
  if (!isWanted) {
    const hint = `Make it: --create-project, or evalgate projects create ${project}. Those that there are: evalgate projects`;
    throw new Problem(`There is no project ${project}.`, hint);
  }
  await gate.projects.create({ name: project, slug: project }, { signal });
  terminal.say(`made the project ${project}`);
  return true;
}
