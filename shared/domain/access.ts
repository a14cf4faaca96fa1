/** What a credential may do, whatever it asks for. Projects, suites, cases and scorers are reached by `suites/access/`. */
import { covers, type Scope } from '../contracts/base/scopes.ts';
import { AppError, notFound } from './errors.ts';
import type { Principal } from './principal.ts';

export const mayUse = (principal: Principal, projectId: string): boolean =>
  principal.projectId === null || principal.projectId === projectId;

const RUNS =
  'create runs, read runs, their results, what judged them, suites one by one and the inputs that these show';
const MAY: Readonly<Record<Scope, string>> = {
  run: `${RUNS}, nothing else`,
  suites: `read and write suites, cases and scorers, ${RUNS}, nothing else`,
  full: 'do everything',
};
const SEND: Readonly<Record<Scope, string>> = {
  run: 'a credential',
  suites: 'a credential of scope "suites" or "full"',
  full: 'an API key of scope "full"',
};

export function requireScope({ scope }: Pick<Principal, 'scope'>, needed: Scope = 'full'): void {
  if (covers(scope, needed)) return;
  throw new AppError('SCOPE_REQUIRED', `This credential may ${MAY[scope]}: send ${SEND[needed]}.`);
}

/** The organisation of a credential that may use all its projects; 404 for a credential bound to one project. */
export function organisationOf(principal: Principal, what: string): string {
  if (principal.projectId !== null) throw notFound(what);
  requireScope(principal);
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
