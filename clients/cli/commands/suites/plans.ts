import { findWorkTree } from '../../../files/disk/repository.ts';
import { sourceOf } from '../../../files/push/source.ts';
import { Problems } from '../../../files/read/problems.ts';
import { defineSuites } from '../../../files/resolve/definition.ts';
import { loadFiles } from '../../../files/resolve/loadFiles.ts';
import { sentDefinition } from '../../../files/resolve/sentDefinition.ts';
import type { Plan } from '../../../gate/report/plan.ts';
import { type DefinitionsPutBody, type Evalgate, NotFoundError } from '../../../sdk/index.ts';
import { type Connected, type Context, connect } from '../../context.ts';
import { ensureProject } from '../../output/ensureProject.ts';
import { projectsOf } from '../../output/findSuite.ts';
import { stopAtErrors } from '../../output/problems.ts';
import { Problem } from '../../problem.ts';

/** A suite of the files, as it is sent. */
interface SuiteToPush {
  readonly suite: string;
  readonly body: DefinitionsPutBody;
}

export interface Planned {
  readonly gate: Evalgate;
  readonly project: string;
  readonly plans: readonly (Plan & { readonly body: DefinitionsPutBody })[];
}

export interface PlanOptions {
  readonly prune: boolean;
  readonly scope?: 'suites';
  /** Whether a project that is named and not there is to be made. Undefined: it is an error that says so. */
  readonly makeProject?: boolean;
}

/** Reads the files and asks for the plan of each suite. Nothing is sent where a file is wrong, and nothing is changed. */
export async function planAll(
  context: Context,
  files: readonly string[],
  { prune, scope, makeProject }: PlanOptions,
): Promise<Planned> {
  const { io } = context;
  const suites = await suitesToPush(context, files, prune);
  const connected = connect(context, scope);
  const project = await projectOf(connected);
  const plans: Planned['plans'][number][] = [];
  for (const { suite, body } of suites) {
    const dryRun = { ...body, dry_run: true };
    const plan = () => connected.gate.definitions.put(project, suite, dryRun, { signal: io.signal });
    const answer = await plan().catch(async (error: unknown) => {
      if (!(error instanceof NotFoundError) || makeProject === undefined) throw error;
      if (await ensureProject(context, connected.gate, { project, mayMake: makeProject })) return plan();
      throw error;
    });
    plans.push({ suite, answer, body });
  }
  if (files.length === 0) await reportMissing(context, connected.gate, { project, suites });
  return { gate: connected.gate, project, plans };
}

async function suitesToPush(
  { io, terminal }: Context,
  files: readonly string[],
  prune: boolean,
): Promise<SuiteToPush[]> {
  const problems = new Problems();
  const loaded = loadFiles(io.cwd, problems, files.length === 0 ? undefined : files);
  const defined = loaded === undefined ? [] : await defineSuites(loaded, problems, Date.now());
  stopAtErrors(problems, terminal);
  return defined.map((definition) => {
    const file = loaded?.repository.absolute(definition.file) ?? definition.file;
    const source = sourceOf(io.env, findWorkTree(io.cwd), file);
    return {
      suite: definition.suite.slug,
      body: { definition: sentDefinition(definition) as DefinitionsPutBody['definition'], prune, source },
    };
  });
}

/** The one project that suites in files belong to. */
export async function projectOf(connected: Connected): Promise<string> {
  const [project, ...otherProjects] = await projectsOf(connected);
  if (project !== undefined && otherProjects.length === 0) return project;
  const which = project === undefined ? 'There is no project.' : 'No project is named.';
  throw new Problem(which, 'Name one: --project <slug>, EVALGATE_PROJECT, or project in evalgate.yaml.');
}

const NAMED_MAX = 10;

/** Reports suites whose files are gone; they are never deleted. A credential that may not list suites gets no report. */
async function reportMissing(
  { io, terminal }: Context,
  gate: Evalgate,
  { project, suites }: { readonly project: string; readonly suites: readonly SuiteToPush[] },
): Promise<void> {
  const known = new Set(suites.map(({ suite }) => suite));
  const missing: string[] = [];
  try {
    for await (const { slug } of gate.suites.list(project, {}, { signal: io.signal })) {
      if (!known.has(slug)) missing.push(slug);
    }
  } catch (error) {
    if (io.signal.aborted) throw error;
    return;
  }
  if (missing.length === 0) return;
  const more = missing.length > NAMED_MAX ? `, and ${missing.length - NAMED_MAX} more` : '';
  terminal.say(
    `No file has these suites of ${project}, which stay: ${missing.slice(0, NAMED_MAX).join(', ')}${more}`,
  );
}
