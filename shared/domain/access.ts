/** What a credential may do, whatever it asks for. Projects, suites, cases and scorers are reached by `suites/access/`. */
import { covers, type Need, type Scope } from '../contracts/base/scopes.ts';
import { AppError, notFound } from './errors.ts';
import type { Principal } from './principal.ts';

export const mayUse = (principal: Principal, projectId: string): boolean =>
  principal.projectId === null || principal.projectId === projectId;

const RUNS =
  'create runs, read runs, their results, what judged them, suites one by one and the inputs that these show';
const MAY: Readonly<Record<Scope, string>> = {
  run: RUNS,
  read: 'read projects, suites, cases, scorers, runs and usage',
  suites: `read and write suites, cases and scorers, ${RUNS}`,
  full: 'everything',
};
const SUITES_OR_FULL = '"suites" or "full"';
const SEND: Readonly<Record<Need, string>> = {
  run: `a credential of scope "run", ${SUITES_OR_FULL}`,
  result: 'a credential',
  read: `a credential of scope "read", ${SUITES_OR_FULL}`,
  suites: `a credential of scope ${SUITES_OR_FULL}`,
  full: 'an API key of scope "full"',
};

export function requireScope({ scope }: Pick<Principal, 'scope'>, needed: Need = 'full'): void {
  if (covers(scope, needed)) return;
  const sentence = `This credential may ${MAY[scope]}, nothing else: send ${SEND[needed]}.`;
  throw new AppError('SCOPE_REQUIRED', sentence);
}

/** The organisation of a credential that may use all its projects; 404 for a credential bound to one project. */
export function organisationOf(principal: Principal, what: string, needed: Need = 'full'): string {
  if (principal.projectId !== null) throw notFound(what);
  requireScope(principal, needed);
  return principal.orgId;
}

/** Finds a resource of the organisation itself. A credential bound to one project gets a 404 without a call of `find`. */
export async function ofOrganisation<T>(
  principal: Principal,
  what: string,
  find: (orgId: string) => Promise<T | undefined>,
): Promise<T> {
  const found = principal.projectId === null ? await find(principal.orgId) : undefined;
  if (found === undefined) throw notFound(what);
  requireScope(principal);
  return found;
}
