import type { Contract } from '../../../shared/contracts/base/contract.ts';

/** What the operations of one resource have in common; they stand together in the documentation, in this order. */
const TAGS: Readonly<Record<string, readonly [name: string, description: string]>> = {
  runs: ['Runs', 'The gate: score outputs with a suite and read what came of it.'],
  projects: ['Projects', 'A project holds suites and scorers.'],
  suites: ['Suites', 'An ordered list of cases with the bar they have to reach.'],
  definitions: ['Definitions', 'A whole suite as one document, as it lies in a repository.'],
  cases: ['Cases', 'One check each: an input, a scorer, and what counts as an answer.'],
  judgeChecks: ['Checks of judges', 'How many wrong answers the judges of a suite catch.'],
  scorers: ['Scorers', 'How an output gets its score.'],
  baselines: ['Baselines', 'The accepted runs that later runs are compared with.'],
  comparisons: ['Comparisons', 'What got worse or better since the baseline.'],
  waivers: ['Waivers', 'Aborted runs that are good enough for a while.'],
  history: ['History', 'What judged when, and who changed it.'],
  templates: ['Templates', 'Suites to start from.'],
  analytics: ['Analytics', 'How the runs of a suite compare.'],
  auth: ['Sign-up and tokens', 'Organisations, and short-lived tokens in place of an API key.'],
  organisation: ['Organisation', 'Its deletion.'],
  apiKeys: ['API keys', 'The credentials of the organisation.'],
  trustedIssuers: ['Trusted issuers', 'CI systems whose jobs need no stored key.'],
  signIn: ['Sign-in', "The organisation's own provider, by which its people sign in."],
  byokKeys: ['BYOK keys', 'Your keys at model providers, which judges use.'],
  billing: ['Billing', 'Usage, plans and payments.'],
  health: ['Health', 'Whether the service answers.'],
};

export const tagOf = ({ id }: Pick<Contract, 'id'>): string => {
  const [resource = ''] = id.split('/');
  const [name] = TAGS[resource] ?? [];
  if (name === undefined) throw new Error(`Give ${resource} a tag in clients/api/openapi/tags.ts.`);
  return name;
};

export const tags = Object.values(TAGS).map(([name, description]) => ({ name, description }));
