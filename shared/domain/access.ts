/** What a credential may do, whatever it asks for. Projects, suites, cases and scorers are reached by `suites/access/`. */
import { covers, type Need, type Scope } from '../contracts/base/scopes.ts';
import { AppError, notFound } from './errors.ts';
import type { Principal } from './principal.ts';

export const mayUse = (principal: Principal, projectId: string): boolean =>
  principal.projectId === null || principal.projectId === projectId;

/** A function, so that bundles of what refuses nothing leave its words out. */
function refusalOf(scope: Scope, needed: Need): AppError {
  const runs = 'create runs, read runs with what judged them, and suites one by one with their inputs';
  const may: Readonly<Record<Scope, string>> = {
    run: runs,
    read: 'read projects, suites, cases, scorers, runs and usage',
    suites: `read and write suites, cases and scorers, ${runs}`,
    full: 'everything',
  };
  const suitesOrFull = '"suites" or "full"';
  const send: Readonly<Record<Need, string>> = {
    run: `a credential of scope "run", ${suitesOrFull}`,
    result: 'a credential',
    read: `a credential of scope "read", ${suitesOrFull}`,
    suites: `a credential of scope ${suitesOrFull}`,
    full: 'an API key of scope "full"',
  };
  const sentence = `This credential may ${may[scope]}, nothing else: send ${send[needed]}.`;
  return new AppError('SCOPE_REQUIRED', sentence);
}

export function requireScope({ scope }: Pick<Principal, 'scope'>, needed: Need = 'full'): void {
  if (!covers(scope, needed)) throw refusalOf(scope, needed);
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
  const entity = principal.projectId === null ? await find(principal.orgId) : undefined;
  if (entity === undefined) throw notFound(what);
  requireScope(principal);
  return entity;
}
