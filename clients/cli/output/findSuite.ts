import { CredentialError, type Evalgate, NotFoundError, type Suite } from '../../sdk/index.ts';
import type { Connected } from '../context.ts';
import { nameOf } from '../input/options.ts';
import { Problem } from '../problem.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The suite of a slug, or of an id. Without a project it is looked for in all that the credential may use. */
export async function findSuite(connected: Connected, named: string): Promise<Suite> {
  if (UUID.test(named)) return connected.gate.suites.getById(named.toLowerCase());
  return (await findSuiteBySlug(connected, named)).suite;
}

interface FoundSuite {
  /** Its slug. */
  readonly project: string;
  readonly suite: Suite;
}

export async function findSuiteBySlug({ gate, settings }: Connected, named: string): Promise<FoundSuite> {
  nameOf('slug of a suite', named);
  const matches: FoundSuite[] = [];
  for (const project of await projectsOf({ gate, settings })) {
    const suite = await gate.suites.get(project, named).catch(absent);
    if (suite !== undefined) matches.push({ project, suite });
  }
  const [first, ...otherMatches] = matches;
  if (first === undefined) throw new Problem(`There is no suite ${named}.`, 'Which there are: evalgate runs');
  if (otherMatches.length > 0) {
    const projects = matches.map(({ project }) => project).join(', ');
    throw new Problem(`Several projects have a suite ${named}: ${projects}.`, 'Name one: --project <slug>');
  }
  return first;
}

const absent = (error: unknown): undefined => {
  if (error instanceof NotFoundError) return undefined;
  throw error;
};

/** The slugs of the projects that a command is about. */
export async function projectsOf({ gate, settings }: Connected): Promise<readonly string[]> {
  if (settings.project !== undefined) return [nameOf('slug of a project', settings.project)];
  const { project } = await gate.auth.whoami();
  return project ? [project.slug] : slugsOf(gate);
}

async function slugsOf(gate: Evalgate): Promise<string[]> {
  const slugs: string[] = [];
  try {
    for await (const { slug } of gate.projects.list()) slugs.push(slug);
  } catch (error) {
    if (!(error instanceof CredentialError && error.code === 'SCOPE_REQUIRED')) throw error;
    const hint = 'Name it: --project <slug>, EVALGATE_PROJECT, or `project` of evalgate.yaml';
    throw new Problem('Which project? This credential is of none, and may not list them.', hint);
  }
  return slugs;
}
