import { EXIT } from '../../gate/problems/exitCodes.ts';
import { claimsOfPairs, jobSnippet } from '../../gate/report/idTokens.ts';
import type { TrustedIssuersCreateBody } from '../../sdk/index.ts';
import { type Context, connect, type Handler } from '../context.ts';
import { fields, printOne } from '../output/print.ts';
import { Problem } from '../problem.ts';
import { readProjectFile } from '../settings/projectFile.ts';

export interface TrustOptions {
  readonly scope?: 'run' | 'suites';
  readonly ref?: string;
  readonly workflow?: string;
  readonly jobWorkflowRef?: string;
  readonly environment?: string;
  readonly issuer?: string;
  readonly claim?: readonly string[];
  readonly provider?: NonNullable<TrustedIssuersCreateBody['provider']>;
  readonly label?: string;
}

/** Lets CI jobs run gates, or push suites, without a stored key. */
export const trust: Handler<TrustOptions> = async (context, [repository], options) => {
  const conditions = conditionsOf(repository, options);
  const { terminal, io } = context;
  const { gate, settings } = connect(context);
  const { scope, ref } = options;
  const given = Object.entries({ scope, ...conditions, project: settings.project });
  const body = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const registration = await gate.trustedIssuers.create(body, { signal: io.signal });
  const narrowed = Object.entries(body).filter(([name]) => name !== 'repository' && name !== 'label');
  const all = narrowed.map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  printOne(context, registration, () =>
    fields(registration.label, registration.id, ...(all.length > 0 ? all : ['every job, in all projects'])),
  );
  if (ref !== undefined && !ref.startsWith('refs/pull/') && scope !== 'suites') {
    terminal.say(
      `Jobs of pull requests have another ref than ${ref}: refs/pull/<number>/merge. This lets none of them in.`,
    );
  }
  const { organisation } = await gate.auth.whoami({ signal: io.signal });
  const place = { url: settings.url, organisation: organisation.id };
  if (registration.provider === 'github') nameGithubNeeds(context, place);
  else terminal.say(`Its jobs need an ID token:\n${jobSnippet(registration.provider, place).trimEnd()}`);
  return EXIT.done;
};

/** Of one form: of a GitHub repository, or of another system. */
function conditionsOf(repository: string | undefined, options: TrustOptions): TrustedIssuersCreateBody {
  const { ref, workflow, jobWorkflowRef: job_workflow_ref, environment } = options;
  const { issuer, claim, provider, label } = options;
  const ofGithub = { ref, workflow, 'job-workflow-ref': job_workflow_ref, environment };
  const ofOthers = { issuer, claim, provider, label };
  const isGithub = repository !== undefined;
  const foreign = Object.entries(isGithub ? ofOthers : ofGithub).find(([, value]) => value !== undefined);
  if (foreign !== undefined) {
    const [name] = foreign;
    throw isGithub
      ? new Problem(
          `--${name} is for another system than GitHub.`,
          'Leave out the repository, or that option.',
        )
      : new Problem(`--${name} is for GitHub.`, 'Name the repository: evalgate trust octo-org/support-bot');
  }
  if (isGithub) {
    if (/^[\w.-]+\/[\w.-]+$/.test(repository))
      return { repository, ref, workflow, job_workflow_ref, environment };
    throw new Problem(`${repository} is no repository.`, 'Such as octo-org/support-bot');
  }
  if (issuer === undefined) {
    throw new Problem(
      'Neither a repository nor an issuer is named.',
      'Such as evalgate trust octo-org/support-bot, or --issuer https://gitlab.com --claim project_id=4711',
    );
  }
  return { issuer, provider, label, claims: claimsOfPairs((claim ?? []).map(pairOf)) };
}

function pairOf(text: string): readonly [name: string, value: string] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined) return [name, value];
  throw new Problem(`--claim ${text} is no pair.`, 'Such as --claim project_id=4711');
}

function nameGithubNeeds(
  { terminal, io }: Context,
  { url, organisation }: { readonly url: string; readonly organisation: string },
): void {
  const file = readProjectFile(io);
  const isInFile = file.url === url && file.organisation === organisation;
  const named = isInFile ? '' : `EVALGATE_URL=${url}, EVALGATE_ORG=${organisation} and `;
  terminal.say(`Its jobs need ${named}id-token: write.`);
}
