import path from 'node:path';
import { SLUG } from '../../../files/config/configFile.ts';
import { slugOf } from '../../../importers/imports/keys.ts';
import { type Connected, type Context, clientOf, settle } from '../../context.ts';
import { readCredentials } from '../../credentials.ts';
import { type Io, variable } from '../../io.ts';
import { askText, askWhich } from '../../output/ask.ts';
import { ensureProject, slugsOf } from '../../output/ensureProject.ts';
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
  const { organisation, project: keyProject } = await gate.auth.whoami({ signal: context.io.signal });
  const { slug, name } = await projectOf(context, connected, keyProject?.slug);
  if (!SLUG.test(slug)) throw new Problem(`${slug} is no slug of a project.`, SLUG_HINT);
  const isNew = name !== undefined;
  if (keyProject?.slug !== slug) {
    const isMade = await ensureProject(context, gate, { project: slug, name, mayMake: mayMake || isNew });
    if (isNew && !isMade) context.terminal.say(`the project ${slug} was there already`);
  }
  return { url: settings.url, organisation: organisation.id, project: slug };
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
  const url = named ?? serviceUrl(io, await askUrl(io), 'that you gave');
  const isNamedByFileOnly = namedService(io, globals) === undefined && readProjectFile(io).url !== undefined;
  const hasKey = variable(io, 'EVALGATE_API_KEY') || readCredentials(io).services[url] !== undefined;
  if (!hasKey && !isNamedByFileOnly && terminal.canAsk) await signIn(context, url);
  const there: Context = named === undefined ? { ...context, globals: { ...globals, url } } : context;
  const settings = settle(there);
  return { gate: clientOf(context, settings), settings };
}

const askUrl = (io: Io): Promise<string> =>
  askText(io, 'URL of the service', {
    usual: LOCAL,
    whyNot(typed) {
      try {
        serviceUrl(io, typed, 'that you gave');
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
  });

interface Chosen {
  readonly slug: string;
  /** Of one that is to be made. */
  readonly name?: string;
}

/** One that is taken without being named is said. */
async function projectOf(
  context: Context,
  { gate, settings }: Connected,
  ofKey: string | undefined,
): Promise<Chosen> {
  const { io, terminal } = context;
  if (settings.project !== undefined) return { slug: settings.project };
  if (ofKey !== undefined) {
    terminal.say(`the project is ${ofKey}, which is that of the key`);
    return { slug: ofKey };
  }
  const slugs = await slugsOf(gate, io.signal);
  if (terminal.canAsk) {
    const chosen = slugs.length === 0 ? NEW_PROJECT : await askWhich(io, 'Project', [...slugs, NEW_PROJECT]);
    return chosen === NEW_PROJECT ? newProject(io) : { slug: chosen };
  }
  const [only] = slugs;
  if (only === undefined)
    throw new Problem('There is no project.', 'Make one: --project <slug> --create-project');
  if (slugs.length > 1)
    throw new Problem('No project is named.', `Name one by --project: ${slugs.join(', ')}`);
  terminal.say(`the project is ${only}, which is the only one: --project names another`);
  return { slug: only };
}

async function newProject(io: Io): Promise<Chosen> {
  const folder = path.basename(io.cwd);
  const name = await askText(io, 'Name of the new project', { usual: folder });
  const slug = await askText(io, 'Its slug', {
    usual: slugOf(name, SLUG_LENGTH_MAX) || slugOf(folder, SLUG_LENGTH_MAX) || 'evals',
    whyNot: (typed) => (SLUG.test(typed) ? undefined : SLUG_HINT),
  });
  return { slug, name };
}

const SLUG_LENGTH_MAX = 100;
const SLUG_HINT = 'It has lower-case letters, digits, "-" and "_", and at most 100 characters.';
