import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { Problem } from '../problem.ts';
import type { Job } from './event.ts';
import { INPUTS, type Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** Where the gate runs, and who asks. */
export interface Settings {
  readonly url: string;
  readonly project: string;
  readonly apiKey: string | undefined;
  /** Empty with an API key. */
  readonly organisation: string;
}

/**
 * In jobs of these events evalgate.yaml is what the repository's branches and pull requests hold. In a job of any other,
 * such as `workflow_run`, it may have come with a fork's artifact, and the job has the rights of the repository.
 */
const EVENTS_WITH_FILE = ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch', 'release'];

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function readSettings(runner: Runner, inputs: Inputs, { event }: Job): Settings {
  const mayReadFile = EVENTS_WITH_FILE.includes(event);
  const file = mayReadFile ? readProjectFile(runner, inputs.text('config')) : {};
  const found = (name: 'url' | 'organisation' | 'project', standIn = ''): string | undefined => {
    const own = inputs.text(name) || (mayReadFile ? runner.variable(standIn) : '');
    return own || file[name];
  };
  const needed = (name: string, given: string | undefined): string => {
    if (given) return given;
    const places = mayReadFile ? `the input, or ${name} in ${INPUTS.config}` : 'the input';
    const why = mayReadFile ? '' : ` In a job of ${event} nothing else is trusted.`;
    throw new Problem(`No ${name}: set ${places}.${why}`);
  };
  const url = serviceUrl(needed('url', found('url', 'EVALGATE_URL')));
  const apiKey = inputs.text('api-key') || undefined;
  if (apiKey !== undefined && !inputs.text('url') && !runner.variable('EVALGATE_URL')) {
    throw new Problem(
      `Only ${inputs.text('config')} names ${url}: no API key is sent there, since a pull request can edit that file. If it is your service, set the input url.`,
    );
  }
  const organisation = found('organisation', 'EVALGATE_ORG');
  return {
    url,
    project: needed('project', found('project')),
    apiKey,
    organisation: apiKey === undefined ? needed('organisation', organisation) : '',
  };
}

type ProjectFile = Readonly<Partial<Record<'url' | 'organisation' | 'project', string>>>;

/** What evalgate.yaml says about where gates run. Whoever edits the repository writes it. */
function readProjectFile(runner: Runner, name: string): ProjectFile {
  let text: string;
  try {
    text = readFileSync(path.resolve(runner.variable('GITHUB_WORKSPACE') ?? '.', name), 'utf8');
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent && name === INPUTS.config) return {};
    throw new Problem(`${name} cannot be read.`);
  }
  let fields: unknown;
  try {
    fields = parse(text, { logLevel: 'error' });
  } catch {
    throw new Problem(`${name} is not YAML.`);
  }
  const { version, ...known } = (fields ?? {}) as Readonly<Record<string, unknown>>;
  if (version !== 1) throw new Problem(`${name}: version is not 1.`);
  const given = (['url', 'organisation', 'project'] as const).filter((field) => known[field] != null);
  for (const field of given) {
    if (typeof known[field] !== 'string') throw new Problem(`${name}: ${field} is no text.`);
  }
  return Object.fromEntries(given.map((field) => [field, String(known[field]).trim()]));
}

function serviceUrl(given: string): string {
  const url = URL.parse(given);
  const isUrl = url !== null && /^https?:$/.test(url.protocol);
  if (!isUrl || url.username || url.password || url.search || url.hash) {
    throw new Problem('The url is none of a service: such as https://gate.example.com');
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new Problem(`The url is http: whoever is on the way to ${url.host} could read the credential.`);
  }
  return url.href.replace(/\/+$/, '');
}
