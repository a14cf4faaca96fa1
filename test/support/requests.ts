import { randomUUID } from 'node:crypto';
import type { Contract } from '../../shared/contracts/base/contract.ts';
import { runId } from '../../shared/domain/runs/ids.ts';
import { DAY_MS, timestamp } from '../../shared/domain/time.ts';
import type { Api, ApiAnswer } from './api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from './builders.ts';

/** Resources in paths and bodies, by the names of path parameters: see `nameOf`. */
export interface Names {
  readonly slug: string;
  readonly suiteSlug: string;
  readonly suiteId: string;
  readonly caseId: string;
  readonly scorerId: string;
  readonly runId: string;
  /** Of the bar that the run was judged by. */
  readonly digest: string;
  readonly keyId: string;
  readonly apiKeyId: string;
  readonly issuerId: string;
}
export type Name = keyof Names;

function idOf({ status, body }: ApiAnswer, id: unknown): string {
  if (typeof id !== 'string') throw new Error(`creating: ${status} ${JSON.stringify(body)}`);
  return id;
}

/** Reuses a resource made before, because an organisation may have few of them. */
async function keptId(client: Api, path: string, body: Readonly<Record<string, string>>): Promise<string> {
  const { data } = (await client('GET', path)).body;
  const [field = ''] = Object.keys(body);
  const kept = data.find((resource: Record<string, unknown>) => resource[field] === body[field]);
  if (kept !== undefined) return kept.id;
  const made = await client('POST', path, body);
  return idOf(made, made.body.data?.id);
}

/** What lies in a project. */
type NamesInProject = Pick<
  Names,
  'slug' | 'suiteSlug' | 'suiteId' | 'caseId' | 'scorerId' | 'runId' | 'digest'
>;

/** No example that is written down lies in the future for ever. */
const tomorrow = () => timestamp(Date.now() + DAY_MS);

/** Creates one of each resource that lies in a project. */
export async function makeNamesIn(client: Api, project: { slug: string }): Promise<NamesInProject> {
  const unique = `n${randomUUID().slice(0, 8)}`;
  const [suite, scorer] = await Promise.all([
    makeSuite(client, project, { slug: `suite-${unique}`, show_inputs: true, show_expected: true }),
    makeScorer(client, project),
  ]);
  const evalCase = await makeCase(client, suite, scorer, { expected: 'yes' });
  const run = await client('POST', '/v1/run', { project: project.slug, suite: suite.slug, output: 'no' });
  const runId = idOf(run, run.body.id);
  // What may be removed, and revoked.
  const made = [
    await client('POST', `/v1/suites/${suite.id}/baselines`, { run_ids: [runId] }),
    await client('POST', `/v1/runs/${runId}/waiver`, { reason: 'It is wanted.', expires_at: tomorrow() }),
  ];
  for (const answer of made) idOf(answer, answer.body.data?.id);
  return {
    slug: project.slug,
    suiteSlug: suite.slug,
    suiteId: suite.id,
    caseId: evalCase.id,
    scorerId: scorer.id,
    runId,
    digest: idOf(run, run.body.suite_digest),
  };
}

/** Creates one of each resource, in a new project. */
export async function makeNames(client: Api): Promise<Names> {
  const project = await makeProject(client, { slug: `project-n${randomUUID().slice(0, 8)}` });
  const inProject = await makeNamesIn(client, project);
  const byokKey = await client('POST', '/v1/byok-keys', A_BYOK_KEY);
  return {
    ...inProject,
    keyId: idOf(byokKey, byokKey.body.data?.id),
    apiKeyId: await keptId(client, '/v1/api-keys', { name: 'Named' }),
    issuerId: await keptId(client, '/v1/trusted-issuers', { repository: 'an-owner/named' }),
  };
}

/** Well-formed names of missing resources. */
export function namesOfNothing(): Names {
  const id = randomUUID();
  return {
    slug: `project-n${id.slice(0, 8)}`,
    suiteSlug: `suite-n${id.slice(0, 8)}`,
    suiteId: id,
    caseId: randomUUID(),
    scorerId: randomUUID(),
    runId: runId({ suiteId: id, number: 1 }),
    digest: `sha256:${'0'.repeat(64)}`,
    keyId: randomUUID(),
    apiKeyId: randomUUID(),
    issuerId: randomUUID(),
  };
}

const A_BYOK_KEY = { provider: 'openai', key: 'sk-secured-0123456789' };

/** The names that the fields of a body name, such as `scorerId` by `scorer_id` and, in a list, `case_ids`. */
const NAMED_BY: Readonly<Record<string, Name>> = { project: 'slug', suite: 'suiteSlug' };
const nameOfField = (field: string): Name | undefined => {
  // Of the provider of sign-ins.
  if (field === 'client_id') return undefined;
  const [, resource] = /^(\w+)_ids?$/.exec(field) ?? [];
  return resource === undefined ? NAMED_BY[field] : (`${resource}Id` as Name);
};

/** The fields of a body that name a resource, and what they name. */
function referencesIn({ body }: Contract): [field: string, name: Name][] {
  const fields = Object.keys((body as { shape?: object } | undefined)?.shape ?? {});
  return fields.flatMap((field) => {
    const name = nameOfField(field);
    return name === undefined ? [] : [[field, name]];
  });
}

/** The contract's example, about the resources that have these names. */
function bodyOf(contract: Contract, names: Names): Request['body'] {
  if (contract.body === undefined) return undefined;
  const example = contract.example as Request['body'];
  const named = referencesIn(contract).map(([field, name]) => {
    if (names[name] === undefined) throw new Error(`Make one of what ${field} of ${contract.id} names`);
    if (example?.[field] === undefined) throw new Error(`The example of ${contract.id} leaves ${field} out`);
    return [field, Array.isArray(example[field]) ? [names[name]] : names[name]];
  });
  const ofSuite = withSuite(example?.definition, names);
  const ending = example?.expires_at === undefined ? {} : { expires_at: tomorrow() };
  return { ...example, ...Object.fromEntries(named), ...ofSuite, ...ending };
}

/** A definition names the suite that the path names. */
const withSuite = (definition: unknown, { suiteSlug }: Names) =>
  definition === undefined ? {} : { definition: { ...(definition as object), suite: suiteSlug } };

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Two kinds of keys have the parameter `:keyId`. */
const nameOf = ({ id }: Contract, parameter = ''): Name =>
  id.startsWith('apiKeys/') && parameter === 'keyId' ? 'apiKeyId' : (parameter as Name);

/** Parameters of public endpoints, whose resources always exist. */
const ALWAYS_THERE: Readonly<Record<string, string>> = {
  'templates/get': 'code-review',
  'billing/checkoutResult': 'success',
};

/** A valid request, if the names are those of existing resources. */
export function requestTo(contract: Contract, names: Names): Request {
  if (contract.path === '$default') return { method: 'GET', path: '/v1/no-such-route', body: undefined };
  const named = (parameter: string): string =>
    ALWAYS_THERE[contract.id] ?? names[nameOf(contract, parameter)];
  const path = contract.path.replaceAll(/:(\w+)/g, (_, parameter: string) => named(parameter));
  return { method: contract.method, path, body: bodyOf(contract, names) };
}

/** What a request makes where it is not there. */
const MADE: Readonly<Record<string, Name>> = { 'definitions/put': 'suiteSlug' };

/** Of what must be there. */
export const namesInPath = (contract: Contract): Name[] =>
  [...contract.path.matchAll(/:(\w+)/g)]
    .map(([, parameter]) => nameOf(contract, parameter))
    .filter((name) => name !== MADE[contract.id]);

/** The names in a contract's path and body. */
export function namesTakenBy(contract: Contract): Name[] {
  if (contract.access === 'public') return [];
  return [...new Set([...namesInPath(contract), ...referencesIn(contract).map(([, name]) => name)])];
}
