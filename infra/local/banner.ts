import { DEMO, GOOD_OUTPUT, WORSE_OUTPUT } from './demo.ts';

export interface BannerFacts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyFile: string;
  readonly isNewKey: boolean;
  readonly isKnownKey: boolean;
  /** Which payment provider is used. */
  readonly payments: string;
}

/** What a person sees: where the service is, the key, and commands to paste, each on one line. */
export function banner(facts: BannerFacts): string {
  const { baseUrl, apiKeyFile, isNewKey } = facts;
  // Shown once, as everywhere; afterwards the commands read the key from where it is kept.
  const credential = isNewKey
    ? quoted(`authorization: Bearer ${facts.apiKey}`)
    : `"authorization: Bearer $(cat ${quoted(apiKeyFile)})"`;
  const post = (path: string, body: object): string =>
    `curl -sS -w '\\n' ${quoted(baseUrl + path)} -H ${credential}` +
    ` -H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`;
  const run = (output: string): string =>
    post('/v1/run', { project: DEMO.project, suite: DEMO.suite, output });

  return `
evalgate is running. Ctrl-C stops it.

Base URL: ${baseUrl}
API key:  ${whereTheKeyIs(facts)}
Payments: ${facts.payments}

Create a project, give it a suite, and let the gate clear a good answer:

${post('/v1/projects', { name: 'Demo', slug: DEMO.project })}

${post(`/v1/projects/${DEMO.project}/suites/from-template`, { template_slug: DEMO.template, slug: DEMO.suite })}

${run(GOOD_OUTPUT)}

And a worse answer, which is aborted:

${run(WORSE_OUTPUT)}

`;
}

function whereTheKeyIs({ apiKey, apiKeyFile, isNewKey, isKnownKey }: BannerFacts): string {
  if (isNewKey) return `${apiKey}\n          (kept in ${apiKeyFile})`;
  if (isKnownKey) return `kept in ${apiKeyFile}`;
  return `the one in ${apiKeyFile} belongs to another database: move that file away and start again to get one`;
}

/** One word for sh, bash and zsh, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
