import { randomUUID } from 'node:crypto';
import type { Contract } from '../../shared/contracts/base/contract.ts';
import { runId } from '../../shared/domain/runs/ids.ts';
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
  readonly keyId: string;
  readonly apiKeyId: string;
  readonly repositoryId: string;
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

/** Creates one of each resource, in a new project. */
export async function makeNames(client: Api): Promise<Names> {
  const unique = `n${randomUUID().slice(0, 8)}`;
  const project = await makeProject(client, { slug: `project-${unique}` });
  const [suite, scorer] = await Promise.all([
    makeSuite(client, project, { slug: `suite-${unique}` }),
    makeScorer(client, project),
  ]);
  const evalCase = await makeCase(client, suite, scorer, { expected: 'yes' });
  const run = await client('POST', '/v1/run', { project: project.slug, suite: suite.slug, output: 'yes' });
  const byokKey = await client('POST', '/v1/byok-keys', A_BYOK_KEY);
  return {
    slug: project.slug,
    suiteSlug: suite.slug,
    suiteId: suite.id,
    caseId: evalCase.id,
    scorerId: scorer.id,
    runId: idOf(run, run.body.id),
    keyId: idOf(byokKey, byokKey.body.data?.id),
    apiKeyId: await keptId(client, '/v1/api-keys', { name: 'Named' }),
    repositoryId: await keptId(client, '/v1/trusted-repositories', { repository: 'an-owner/named' }),
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
    keyId: randomUUID(),
    apiKeyId: randomUUID(),
    repositoryId: randomUUID(),
  };
}

const A_BYOK_KEY = { provider: 'openai', key: 'sk-secured-0123456789' };

type Body = (names: Names) => Readonly<Record<string, unknown>>;

/** A body that is accepted, for every contract that takes one. */
const VALID_BODIES: Readonly<Record<string, Body>> = {
  'auth/signup': () => ({ name: 'An organisation' }),
  'projects/create': () => ({ name: 'A project' }),
  'projects/update': () => ({ name: 'Changed' }),
  'suites/create': () => ({ name: 'A suite' }),
  'suites/createFromTemplate': () => ({ template_slug: 'code-review' }),
  'suites/update': () => ({ name: 'Changed' }),
  'cases/create': ({ scorerId }) => ({ name: 'A case', input: {}, scorer_id: scorerId }),
  'cases/update': ({ scorerId }) => ({ name: 'Changed', scorer_id: scorerId }),
  'cases/reorder': ({ caseId }) => ({ case_ids: [caseId] }),
  'scorers/create': () => ({ name: 'A scorer', type: 'exact_match', config: {} }),
  'scorers/update': () => ({ name: 'Changed' }),
  'byokKeys/create': () => A_BYOK_KEY,
  'byokKeys/test': () => ({ model: 'any' }),
  'apiKeys/create': ({ slug }) => ({ name: 'A key', project: slug }),
  'trustedRepositories/create': ({ slug }) => ({ repository: 'an-owner/a-repository', project: slug }),
  'runs/create': ({ slug, suiteSlug }) => ({ project: slug, suite: suiteSlug, output: 'yes' }),
  /** Only a deployment that knows its own address takes it so. */
  'billing/checkout': () => ({ plan: 'pro' }),
};

/** The body fields that name a resource. */
export const BODY_REFERENCES: Readonly<Record<string, Readonly<Record<string, Name>>>> = {
  'cases/create': { scorer_id: 'scorerId' },
  'cases/update': { scorer_id: 'scorerId' },
  'cases/reorder': { case_ids: 'caseId' },
  'apiKeys/create': { project: 'slug' },
  'trustedRepositories/create': { project: 'slug' },
  'runs/create': { project: 'slug', suite: 'suiteSlug' },
};

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
  const body = contract.body && VALID_BODIES[contract.id];
  if (contract.body && !body)
    throw new Error(`Add a valid body of ${contract.id} to test/support/requests.ts`);
  const path = contract.path.replaceAll(/:(\w+)/g, (_, parameter: string) => named(parameter));
  return { method: contract.method, path, body: body?.(names) };
}

export const namesInPath = (contract: Contract): Name[] =>
  [...contract.path.matchAll(/:(\w+)/g)].map(([, parameter]) => nameOf(contract, parameter));

/** The names in a contract's path and body. */
export function namesTakenBy(contract: Contract): Name[] {
  if (contract.access === 'public') return [];
  return [...new Set([...namesInPath(contract), ...Object.values(BODY_REFERENCES[contract.id] ?? {})])];
}
