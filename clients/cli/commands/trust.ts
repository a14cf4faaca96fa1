import { EXIT } from '../../gate/problems/exitCodes.ts';
import { connect, type Handler } from '../context.ts';
import { fields, printOne } from '../output/print.ts';
import { Problem } from '../problem.ts';
import { readProjectFile } from '../settings/projectFile.ts';

export interface TrustOptions {
  readonly scope?: string;
  readonly ref?: string;
  readonly workflow?: string;
  readonly jobWorkflowRef?: string;
  readonly environment?: string;
}

/** Lets the GitHub Actions jobs of a repository run gates, or push suites, without a stored key. */
export const trust: Handler<TrustOptions> = async (context, [repository = ''], options) => {
  const { terminal, io } = context;
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new Problem(`${repository} is no repository.`, 'Such as octo-org/support-bot');
  }
  const { gate, settings } = connect(context);
  const { scope, ref, workflow, jobWorkflowRef: job_workflow_ref, environment } = options;
  const { project } = settings;
  const given = Object.entries({ scope, ref, workflow, job_workflow_ref, environment, project });
  const narrowed = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const made = await gate.trustedIssuers.create({ repository, ...narrowed }, { signal: io.signal });
  const conditions = Object.entries(narrowed).map(([name, value]) => `${name} ${value}`);
  const all = conditions.length > 0 ? conditions : ['every job, in all projects'];
  printOne(context, made, () => fields(made.label, made.id, ...all));
  if (ref !== undefined && !ref.startsWith('refs/pull/') && scope !== 'suites') {
    terminal.say(
      `Jobs of pull requests have another ref than ${ref}: refs/pull/<number>/merge. This lets none of them in.`,
    );
  }
  const { organisation } = await gate.auth.whoami({ signal: io.signal });
  const file = readProjectFile(io);
  const isInFile = file.url === settings.url && file.organisation === organisation.id;
  const named = isInFile ? '' : `EVALGATE_URL=${settings.url}, EVALGATE_ORG=${organisation.id} and `;
  terminal.say(`Its jobs need ${named}id-token: write.`);
  return EXIT.done;
};
