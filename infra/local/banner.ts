import { DEMO, GOOD_OUTPUT, WORSE_OUTPUT } from './demo.ts';

export interface BannerFacts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyFile: string;
  readonly isNewKey: boolean;
  readonly isKnownKey: boolean;
  readonly payments: string;
}

/** The text printed at the start: address, API key, and commands to paste, one a line. */
export function banner(facts: BannerFacts): string {
  const { baseUrl, apiKeyFile, isNewKey } = facts;
  // The key is printed on the first start only; later commands read it from its file.
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
API docs: ${baseUrl}/docs

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

/** Quotes any text as one word of sh, bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
