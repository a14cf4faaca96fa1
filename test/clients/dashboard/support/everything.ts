import { readFileSync } from 'node:fs';
import path from 'node:path';
import { to } from '../../../../clients/dashboard/kit/addresses.ts';
import type { Api } from '../../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../../support/builders.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { type Account, newAccount } from './dashboard.ts';

/** What fields hold: that of the field's name, of a case the text of its index. */
export interface Texts {
  /** At most 200 characters, without control characters. */
  readonly name: string;
  /** At most 1,900 characters. */
  readonly sentence: string;
  /** Of each case: its name, input, expected value and output. */
  readonly ofCases: readonly { readonly name: string; readonly text: string }[];
}

export const TEXTS: Texts = {
  name: 'Returns and refunds',
  sentence: 'Answers about returns name the window and the way to send a parcel back.',
  ofCases: [
    { name: 'Refund window', text: 'You can return it within 30 days.' },
    { name: 'Invoice', text: '{"total": 178.5, "currency": "EUR"}' },
    { name: 'Greeting', text: 'Hello there.' },
  ],
};

export interface Everything extends Account {
  readonly project: string;
  readonly suite: string;
  readonly scorer: string;
  readonly case: string;
  /** Aborted by cases that failed, could not be judged, and lacked an output. */
  readonly run: string;
  readonly before: string;
}

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Answers of success only. */
async function send(client: Api, request: string, body: object): Promise<Record<string, string>> {
  const [method = '', address = ''] = request.split(' ');
  const { status, body: answer } = await client(method, address, body);
  if (status >= 300) throw new Error(`${request}: ${status} ${JSON.stringify(answer)}`);
  return answer.data ?? answer;
}

async function seedAccount({ client }: Account, name: string): Promise<void> {
  await send(client, 'POST /v1/api-keys', { name, scope: 'run', expires_at: inDays(9) });
  await send(client, 'POST /v1/byok-keys', { provider: 'openai', key: 'sk-of-a-test-0123456789', name });
  await send(client, 'POST /v1/trusted-issuers', {
    repository: 'octo/support-bot',
    environment: name.replace(/\p{Cf}/gu, ''),
    scope: 'run',
  });
}

/** A new organisation with something of all that pages show. */
export async function seedEverything(texts: Texts): Promise<Everything> {
  const { name, sentence, ofCases } = texts;
  const account = await newAccount(name.slice(0, 100).toWellFormed());
  const { client } = account;
  await seedAccount(account, name);
  const project = await makeProject(client, { name, slug: 'all', description: sentence });
  const suite = await makeSuite(client, project, {
    name,
    slug: 'all',
    description: sentence,
    pass_threshold: 0.99,
    keep_outputs: 'all',
    gates: { tags: [{ tag: 'constructor', pass_threshold: 0.5 }] },
  });
  const exact = await makeScorer(client, project, { name, key: 'constructor' });
  const tools = await makeScorer(client, project, {
    name: 'Right tools',
    type: 'trajectory',
    config: { calls: [{ tool: 'lookup' }, { tool: name }], forbidden: ['delete_*'] },
  });
  const add = (key: string, fields: object, scorer = exact) =>
    makeCase(client, suite, scorer, { key, name, description: sentence, tags: ['constructor'], ...fields });
  for (const [index, { name: caseName, text }] of ofCases.entries()) {
    const ofCase = { name: caseName, input: { [caseName]: text }, expected: text };
    await add(index === 0 ? 'constructor' : `case-${index}`, ofCase);
  }
  const advisory = { owner: name, reason: `Not settled: ${sentence}`, expires_at: inDays(9) };
  await add('advisory', { advisory, expected: sentence });
  await add('must', { expected: sentence, must_pass: true });
  await add('tools', {}, tools);
  await add('unjudged', {});
  await add('errored', { expected: 'x' });
  await add('missing', { expected: 'x' });
  const call = (tool: string) => ({ type: 'call', tool, arguments: { [name]: sentence } });
  const run = (outputOf: (text: string) => string, error: object) =>
    send(client, 'POST /v1/run', {
      suite: suite.slug,
      trigger: 'github_action',
      trigger_meta: {
        repository: 'octo/support-bot',
        sha: '8f2c1aa9b0d1e2f3',
        ref: name,
        workflow: name,
        run_url: 'javascript:hacked=1',
        [name]: sentence,
      },
      outputs: [
        ...ofCases.map(({ text }, index) => ({
          case: index === 0 ? 'constructor' : `case-${index}`,
          output: outputOf(text),
          metadata: { latency_ms: 10 * index, [ofCases[index]?.name ?? '']: name },
        })),
        { case: 'advisory', output: outputOf(sentence) },
        { case: 'must', output: sentence },
        { case: 'tools', output: name, trace: [call('lookup'), call(outputOf('delete_')), call(name)] },
        { case: 'unjudged', output: sentence },
        { case: 'errored', ...error },
      ],
    });
  const before = await run((text) => text, { output: 'x' });
  await send(client, `POST /v1/suites/${suite.id}/baselines`, { run_ids: [before.id], reason: sentence });
  const after = await run((text) => `${text} and more`, { error: sentence });
  await send(client, `POST /v1/runs/${after.id}/waiver`, {
    reason: `Requested: ${sentence}`,
    expires_at: inDays(9),
  });
  return {
    ...account,
    project: project.slug,
    suite: suite.slug,
    scorer: exact.key,
    case: 'constructor',
    run: after.id ?? '',
    before: before.id ?? '',
  };
}

/** Of each pattern of `routes.ts` the address of a page that shows what was seeded. A new page is a line here. */
const ADDRESSES: Readonly<Record<string, (of: Everything) => string>> = {
  '/app': () => to.home,
  '/app/sign-in': () => to.signIn(),
  '/app/signed-in/:org': () => to.signedIn('5f1c9a86-3b7d-4c21-9e0f-6a2b8d4c7e13'),
  '/app/cli': () => `${to.cli}?port=40000&challenge=${'c'.repeat(43)}&state=${'s'.repeat(43)}`,
  '/app/sign-up': () => to.signUp,
  '/app/runs/:run': ({ run }) => to.run(run),
  '/app/compare': ({ before, run }) => to.compare(before, run),
  '/app/p/:project': ({ project }) => to.project(project),
  '/app/p/:project/s/:suite': ({ project, suite }) => to.suite(project, suite),
  '/app/p/:project/s/:suite/cases': ({ project, suite }) => to.cases(project, suite),
  '/app/p/:project/s/:suite/history': ({ project, suite }) => to.history(project, suite),
  '/app/p/:project/s/:suite/c/:case': ({ project, suite, case: key }) => to.case(project, suite, key),
  '/app/p/:project/scorers/:scorer': ({ project, scorer }) => to.scorer(project, scorer),
  '/app/settings/usage': () => to.settings('usage'),
  '/app/settings/keys': () => to.settings('keys'),
  '/app/settings/byok': () => to.settings('byok'),
  '/app/settings/issuers': () => to.settings('issuers'),
};

export interface Address {
  readonly pattern: string;
  readonly isPublic: boolean;
  readonly of: (everything: Everything) => string;
}

const ROUTES = readFileSync(path.join(REPOSITORY_DIR, 'clients/dashboard/app/routes.ts'), 'utf8');

/** Every page. Throws where one has no address here. */
export function addresses(): readonly Address[] {
  const lines = ROUTES.split('\n').filter((line) => /^ {2}\{ pattern: '/.test(line));
  return lines.map((line) => {
    const [, pattern = ''] = /'([^']+)'/.exec(line) ?? [];
    const of = ADDRESSES[pattern];
    if (of === undefined) throw new Error(`${pattern} has no address in support/everything.ts.`);
    return { pattern, of, isPublic: line.includes('isPublic: true') };
  });
}
