import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, readConfig } from '../../files/config/configFile.ts';
import { serviceUrlOf } from '../../files/config/serviceUrl.ts';
import { Repository } from '../../files/disk/repository.ts';
import { Problems } from '../../files/read/problems.ts';
import { Problem, stopAtErrors } from '../problem.ts';
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

export function readSettings(
  runner: Runner,
  inputs: Inputs,
  { event, isFork, hasOwnFiles, actor }: Job,
): Settings {
  const { apiKey } = inputs;
  if (apiKey === '') throw new Problem(emptyKey(actor));
  const file = hasOwnFiles ? readProjectFile(runner, inputs.text('config')) : {};
  const setting = (name: 'url' | 'organisation' | 'project', standIn = ''): string | undefined => {
    const input = inputs.text(name) || (hasOwnFiles ? runner.variable(standIn) : '');
    return input || file[name];
  };
  const needed = (name: string, given: string | undefined): string => {
    if (given) return given;
    const places = hasOwnFiles ? `the input, or ${name} in ${INPUTS.config}` : 'the input';
    const why = hasOwnFiles ? '' : ` In a job of ${isFork ? 'a fork' : event} nothing else is trusted.`;
    throw new Problem(`No ${name}: set ${places}.${why}`);
  };
  const url = serviceUrl(needed('url', setting('url', 'EVALGATE_URL')));
  if (apiKey !== undefined && !inputs.text('url') && !runner.variable('EVALGATE_URL')) {
    throw new Problem(
      `Only ${inputs.text('config')} names ${url}: no API key is sent there, since a pull request can edit that file. If it is your service, set the input url.`,
    );
  }
  const organisation = setting('organisation', 'EVALGATE_ORG');
  return {
    url,
    project: needed('project', setting('project')),
    apiKey,
    organisation: apiKey === undefined ? needed('organisation', organisation) : '',
  };
}

const emptyKey = (actor: string): string => {
  const whose =
    actor === 'dependabot[bot]'
      ? 'Jobs of Dependabot get secrets of Dependabot only: store the key there, too (Settings, Secrets and variables, Dependabot).'
      : 'Is the name of the secret right, does the environment of the job have it, and does a calling workflow hand it on (secrets: inherit)? Jobs of Dependabot get secrets of Dependabot only, and those of forks none.';
  return `Input api-key is empty: this job does not get the secret that the workflow names there. ${whose} To log in by OIDC, leave the input out.`;
};

/** evalgate.yaml, or the file that the input names. The usual one may be absent. */
function readProjectFile(runner: Runner, name: string): Partial<Config> {
  const file = runner.inWorkspace(name);
  if (name === INPUTS.config && !existsSync(file)) return {};
  const problems = new Problems();
  const read = existsSync(path.dirname(file))
    ? readConfig(new Repository(path.dirname(file)), problems, path.basename(file), name)
    : undefined;
  stopAtErrors(problems);
  if (read === undefined) throw new Problem(`${name}: there is no such folder.`);
  return read.config;
}

function serviceUrl(given: string): string {
  const checked = serviceUrlOf(given, 'of the gate', false);
  if ('url' in checked) return checked.url;
  throw new Problem(`${checked.why} ${checked.hint}`);
}
