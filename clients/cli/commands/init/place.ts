import path from 'node:path';
import { SLUG } from '../../../suites/config/configFile.ts';
import { type Connected, type Context, clientOf, settle } from '../../context.ts';
import { readCredentials } from '../../credentials.ts';
import { variable } from '../../io.ts';
import { askText, askWhich } from '../../output/ask.ts';
import { ensureProject } from '../../output/ensureProject.ts';
import { Problem } from '../../problem.ts';
import { readProjectFile } from '../../settings/projectFile.ts';
import { serviceUrl } from '../../settings/serviceUrl.ts';
import { namedService } from '../../settings/settings.ts';
import { signIn } from '../account.ts';

/** Where suites of the folder go. */
export interface InitPlace {
  readonly url: string;
  readonly organisation: string;
  readonly project: string;
}

const LOCAL = 'http://127.0.0.1:3000';
const NEW_PROJECT = 'a new project';

/** By options, variables, evalgate.yaml and the login; somebody at the terminal is asked for the rest. */
export async function placeOf(context: Context, mayMake: boolean): Promise<InitPlace> {
  const connected = await signedIn(context);
  const { gate, settings } = connected;
  const { organisation, project: own } = await gate.auth.whoami({ signal: context.io.signal });
  const named = settings.project ?? own?.slug;
  const { project, isNew } =
    named === undefined ? await chosenProject(context, connected) : { project: named, isNew: false };
  if (!SLUG.test(project)) throw noSlug(project);
  if (own?.slug !== project) await ensureProject(context, gate, { project, mayMake: mayMake || isNew });
  return { url: settings.url, organisation: organisation.id, project };
}

async function signedIn(context: Context): Promise<Connected> {
  const { io, globals, terminal } = context;
  const named = namedService(io, globals) ?? readProjectFile(io).url ?? readCredentials(io).current;
  if (named === undefined && !terminal.canAsk) {
    throw new Problem(
      'No service is named.',
      'Give --url https://…, or write files without a service: evalgate init --offline',
    );
  }
  const url = named ?? serviceUrl(io, await askText(io, 'URL of the service', LOCAL), 'that you gave');
  const isNamedByFileOnly = namedService(io, globals) === undefined && readProjectFile(io).url !== undefined;
  const hasKey = variable(io, 'EVALGATE_API_KEY') || readCredentials(io).services[url] !== undefined;
  if (!hasKey && !isNamedByFileOnly && terminal.canAsk) await signIn(context, url);
  const there: Context = named === undefined ? { ...context, globals: { ...globals, url } } : context;
  const settings = settle(there);
  return { gate: clientOf(context, settings), settings };
}

interface Chosen {
  readonly project: string;
  /** Whether somebody said that it is to be made. */
  readonly isNew: boolean;
}

async function chosenProject({ io, terminal }: Context, { gate }: Connected): Promise<Chosen> {
  const slugs: string[] = [];
  for await (const { slug } of gate.projects.list({}, { signal: io.signal })) slugs.push(slug);
  if (terminal.canAsk) {
    const chosen = slugs.length === 0 ? NEW_PROJECT : await askWhich(io, 'Project', [...slugs, NEW_PROJECT]);
    if (chosen !== NEW_PROJECT) return { project: chosen, isNew: false };
    return { project: await askText(io, 'Slug of the new project', slugOfFolder(io.cwd)), isNew: true };
  }
  const [only] = slugs;
  if (only !== undefined && slugs.length === 1) return { project: only, isNew: false };
  throw only === undefined
    ? new Problem('There is no project.', 'Make one: --project <slug> --create-project')
    : new Problem('No project is named.', `Name one: --project <slug>, such as ${only}`);
}

const slugOfFolder = (folder: string): string =>
  path
    .basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100) || 'evals';

const noSlug = (project: string): Problem =>
  new Problem(
    `${project} is no slug of a project.`,
    'It has lower-case letters, digits, "-" and "_", and at most 100 characters.',
  );
