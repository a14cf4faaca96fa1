import type { Contract } from '../../shared/contracts/base/contract.ts';
import { contracts } from '../../shared/contracts/registry.ts';

/** The functions that no request reaches, by the path of their files. */
export const WORKERS = {
  evaluate: 'evaluator/evaluate',
  deadLetters: 'evaluator/deadLetters',
  sweep: 'evaluator/sweep',
  resumeRetention: 'evaluator/resumeRetention',
  purge: 'evaluator/purge',
  reportOverage: 'billing/reportOverage',
} as const;

/** Everything that is deployed, each the file `functions/<id>.ts`. */
export const functionIds: readonly string[] = [...contracts.map(({ id }) => id), ...Object.values(WORKERS)];

/**
 * The stacks that the endpoints are spread over, by the folder of their functions. Five resources an endpoint: every
 * stack may double and stay below half of what CloudFormation takes.
 */
const STACK_OF_FOLDER: Readonly<Record<string, EndpointStackName>> = {
  auth: 'accounts',
  apiKeys: 'accounts',
  trustedRepositories: 'accounts',
  byokKeys: 'accounts',
  projects: 'suites',
  suites: 'suites',
  templates: 'suites',
  cases: 'cases',
  scorers: 'cases',
  runs: 'runs',
  analytics: 'runs',
  billing: 'runs',
  health: 'runs',
  fallback: 'runs',
};

export const ENDPOINT_STACKS = ['accounts', 'suites', 'cases', 'runs'] as const;
export type EndpointStackName = (typeof ENDPOINT_STACKS)[number];

export function stackOfEndpoint({ id }: Contract): EndpointStackName {
  const folder = id.split('/')[0] ?? '';
  const stack = STACK_OF_FOLDER[folder];
  if (stack === undefined)
    throw new Error(`Name the stack of functions/${folder}/ in infra/aws/functions.ts.`);
  return stack;
}

/** As API Gateway writes it: `GET /v1/projects/{slug}`. */
export const routeKeyOf = ({ method, path }: Pick<Contract, 'method' | 'path'> | HeadRoute): string =>
  path === '$default' ? path : `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

interface HeadRoute {
  readonly method: 'HEAD';
  readonly path: string;
}

/** All routes of a contract: an HTTP API answers HEAD only where it has a route for it. */
export const routeKeysOf = ({ method, path }: Contract): string[] => [
  routeKeyOf({ method, path }),
  ...(method === 'GET' ? [routeKeyOf({ method: 'HEAD', path })] : []),
];

/** `projects/create` of dev is `evalgate-dev-projects-create`. */
export const functionName = (environment: string, id: string): string =>
  `evalgate-${environment}-${id.replaceAll('/', '-')}`;

/** Where the figures are that log lines give. */
export const metricsNamespace = (environment: string): string => `evalgate/${environment}`;

/** `projects/create` is `ProjectsCreate`. */
export const constructId = (id: string): string =>
  id
    .split('/')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
