import type { Contract } from '../../shared/contracts/base/contract.ts';
import { contracts } from '../../shared/contracts/registry.ts';

/** Functions without an endpoint, by the path of their files. */
export const WORKERS = {
  evaluate: 'evaluator/evaluate',
  deadLetters: 'evaluator/deadLetters',
  sweep: 'evaluator/sweep',
  resumeRetention: 'evaluator/resumeRetention',
  purge: 'evaluator/purge',
  reportOverage: 'billing/reportOverage',
} as const;

/** Has no route and no trigger: only principals of the account invoke it, as their own IAM policies allow. */
export const OPERATOR = 'operator/command';

/** All deployed functions. Each is the file `functions/<id>.ts`. */
export const functionIds: readonly string[] = [
  ...contracts.map(({ id }) => id),
  ...Object.values(WORKERS),
  OPERATOR,
];

/** An endpoint takes five resources: each stack can double and stay below half of CloudFormation's limit. */
const STACK_OF_FOLDER: Readonly<Record<string, EndpointStackName>> = {
  auth: 'accounts',
  organisation: 'accounts',
  apiKeys: 'credentials',
  trustedIssuers: 'credentials',
  signIn: 'credentials',
  byokKeys: 'credentials',
  projects: 'suites',
  suites: 'suites',
  definitions: 'cases',
  templates: 'cases',
  cases: 'cases',
  judgeChecks: 'accounts',
  scorers: 'suites',
  history: 'cases',
  runs: 'runs',
  baselines: 'runs',
  comparisons: 'runs',
  waivers: 'runs',
  analytics: 'runs',
  billing: 'credentials',
  health: 'runs',
  fallback: 'runs',
};

export const ENDPOINT_STACKS = ['accounts', 'credentials', 'suites', 'cases', 'runs'] as const;
export type EndpointStackName = (typeof ENDPOINT_STACKS)[number];

export function stackOfEndpoint({ id }: Contract): EndpointStackName {
  const folder = id.split('/')[0] ?? '';
  const stack = STACK_OF_FOLDER[folder];
  if (stack === undefined)
    throw new Error(`Name the stack of functions/${folder}/ in infra/aws/functions.ts.`);
  return stack;
}

/** In API Gateway's form: `GET /v1/projects/{slug}`. */
const routeKeyOf = ({ method, path }: Pick<Contract, 'method' | 'path'> | HeadRoute): string =>
  path === '$default' ? path : `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

interface HeadRoute {
  readonly method: 'HEAD';
  readonly path: string;
}

/** All routes of a contract. An HTTP API answers HEAD only by a route of its own. */
export const routeKeysOf = ({ method, path }: Contract): string[] => [
  routeKeyOf({ method, path }),
  ...(method === 'GET' ? [routeKeyOf({ method: 'HEAD', path })] : []),
];

/** `projects/create` of dev is `evalgate-dev-projects-create`. */
export const functionName = (environment: string, id: string): string =>
  `evalgate-${environment}-${id.replaceAll('/', '-')}`;

/** The CloudWatch namespace of the metrics that come from log lines. */
export const metricsNamespace = (environment: string): string => `evalgate/${environment}`;

/** `projects/create` is `ProjectsCreate`. */
export const constructId = (id: string): string =>
  id
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
