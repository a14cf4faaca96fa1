import type { PageQuery } from '../../contracts/base/common.ts';
import type { NewRegistration, TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';
import { ofOrganisation, organisationOf } from '../access.ts';
import { requireApiKey } from '../accounts/keys.ts';
import type { IssuerTokens, TrustedIssuerStore } from '../accounts/ports.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { invalidField, notFound } from '../errors.ts';
import { TRUSTED_ISSUERS_MAX } from '../limits.ts';
import { pageOf } from '../pageOf.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { timestamp } from '../time.ts';
import { CI_SYSTEMS, checkedRegistration } from './ciSystems.ts';
import { conditionsOfPersons } from './persons.ts';
import { requireReadable } from './readable.ts';
import { isTwin } from './registrations.ts';

const WHAT = 'trusted issuer';
const LABEL_CHARACTERS_MAX = 100;

interface Deps extends Ambient {
  readonly trust: TrustedIssuerStore;
  readonly projects: ProjectStore;
  readonly issuerTokens: Pick<IssuerTokens, 'discovery'>;
  readonly githubIssuer: string;
  /** Of the provider whose persons are registered. */
  readonly signIns: { read(orgId: string): Promise<{ readonly issuer: string } | undefined> };
}

export async function trustIssuer(
  deps: Deps,
  principal: Principal,
  body: NewRegistration,
): Promise<TrustedIssuer> {
  const orgId = organisationOf(principal, WHAT);
  requireApiKey(principal);
  const { scope = 'run', project } = body;
  const project_id = project === undefined ? null : (await liveProjectHead(deps, principal, project)).id;
  const id = deps.newId();
  const times = { last_used_at: null, created_at: timestamp(deps.now()) };
  const form = body.for === 'persons' ? await personsForm(deps, orgId, body) : await formOf(deps, body);
  const registration = { id, for: body.for, ...form, scope, project_id, ...times } as const;
  const field = body.repository === undefined ? 'claims' : 'repository';
  const admit = async (present: readonly TrustedIssuer[]): Promise<void> => {
    // Read again at the version of the organisation that the registration is written at.
    if (body.for === 'persons' && (await deps.signIns.read(orgId))?.issuer !== form.issuer) throw noSignIn();
    if (present.some((other) => isTwin(other, registration)))
      throw invalidField(field, 'is trusted already, with the same scope, conditions and project');
    if (present.length >= TRUSTED_ISSUERS_MAX)
      throw invalidField(field, `an organisation trusts at most ${TRUSTED_ISSUERS_MAX}: delete one first`);
  };
  await deps.trust.create(
    orgId,
    registration,
    admit,
    logged(principal, deps.now(), trustLog(registration, 'created')),
  );
  return registration;
}

const noSignIn = () =>
  invalidField('for', 'needs the sign-in of the organisation: make it with PUT /v1/sign-in first');

/** Of the organisation's sign-in. */
async function personsForm({ signIns }: Deps, orgId: string, body: NewRegistration) {
  const signIn = await signIns.read(orgId);
  if (signIn === undefined) throw noSignIn();
  const { issuer } = signIn;
  const claims = conditionsOfPersons(body, issuer);
  const [first] = Object.entries(claims).map(([name, allowed]) => `${name} ${[allowed].flat().join(', ')}`);
  const label = body.label ?? [...`persons: ${first ?? 'everyone'}`].slice(0, 100).join('');
  return { provider: 'other', issuer, label, claims } as const;
}

/** Of GitHub as its fields have it, of another system with claims; its issuer is one that can be read. */
async function formOf({ issuerTokens, githubIssuer }: Deps, body: NewRegistration) {
  const { repository, issuer, claims } = body;
  if (repository !== undefined) {
    const { ref = null, environment = null, workflow = null, job_workflow_ref = null } = body;
    return {
      provider: 'github',
      issuer: githubIssuer,
      label: repository,
      claims: null,
      repository,
      ref,
      environment,
      workflow,
      job_workflow_ref,
      repository_id: null,
      repository_owner_id: null,
    } as const;
  }
  if (issuer === undefined || claims === undefined) throw invalidField('issuer', 'is missing');
  const checked = checkedRegistration({ ...body, issuer, claims }, githubIssuer);
  await requireReadable(issuerTokens, issuer);
  return { ...checked, label: body.label ?? labelOf(checked) };
}

/** Such as "GitLab project_id 7". */
function labelOf({
  provider,
  issuer,
  claims,
}: Pick<TrustedIssuer, 'issuer'> & ReturnType<typeof checkedRegistration>): string {
  const name = CI_SYSTEMS[provider].bind.find((one) => Object.hasOwn(claims, one)) ?? '';
  const issuerName = provider === 'other' ? new URL(issuer).host : CI_SYSTEMS[provider].title;
  const label = `${issuerName} ${name} ${[claims[name]].flat().join(', ')}`;
  return [...label].slice(0, LABEL_CHARACTERS_MAX).join('').trim();
}

const CONDITIONS = [
  'issuer',
  'claims',
  'scope',
  'project_id',
  'ref',
  'environment',
  'workflow',
  'job_workflow_ref',
] as const;

const trustLog = (trusted: TrustedIssuer, action: 'created' | 'deleted') => ({
  projectId: trusted.project_id,
  action,
  target: { type: 'trusted_issuer', id: trusted.id, name: trusted.label } as const,
  changes: fieldsOf(CONDITIONS, trusted, action === 'created' ? 'made' : 'ended'),
});

export async function listTrustedIssuers(
  { trust }: Pick<Deps, 'trust'>,
  principal: Principal,
  query: PageQuery,
): Promise<Page<TrustedIssuer>> {
  const all = await trust.list(organisationOf(principal, WHAT));
  return pageOf(all, query);
}

/** Its jobs get no more tokens, and the tokens they have are rejected at once. */
export async function distrustIssuer(
  { trust, now }: Pick<Deps, 'trust' | 'now'>,
  principal: Principal,
  id: string,
): Promise<void> {
  const find = async (orgId: string) => (await trust.list(orgId)).find((trusted) => trusted.id === id);
  const trusted = await ofOrganisation(principal, WHAT, find);
  const log = logged(principal, now(), trustLog(trusted, 'deleted'));
  if (!(await trust.delete(principal.orgId, id, log))) throw notFound(WHAT);
}
