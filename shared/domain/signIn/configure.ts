import { SIGN_IN_SECRET } from '../../contracts/base/providers.ts';
import type { NewSignIn, SignIn } from '../../contracts/credentials/signIn.ts';
import { organisationOf } from '../access.ts';
import { requireApiKey } from '../accounts/keys.ts';
import type { IssuerTokens, PersonStore } from '../accounts/ports.ts';
import type { Vault } from '../byok/ports.ts';
import { Secret } from '../byok/secret.ts';
import { changesBetween } from '../changes/fields.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { invalidField, notFound } from '../errors.ts';
import { requireReadable } from '../issuers/readable.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import type { SignInReader, SignInStore, StoredSignIn } from './ports.ts';

const WHAT = 'sign-in';

/** Where browsers reach the service. Undefined if the deployment has no BASE_URL. */
export type BaseUrl = () => string | undefined;

function baseOf(baseUrl: BaseUrl): string {
  const base = baseUrl();
  if (base !== undefined) return base;
  throw invalidField('sign-in', 'needs the address of this deployment: set the variable BASE_URL');
}

export const redirectUriOf = (baseUrl: BaseUrl, orgId: string): string =>
  `${baseOf(baseUrl)}/app/signed-in/${orgId}`;

function shown(baseUrl: BaseUrl, orgId: string, { secret, ...stored }: StoredSignIn): SignIn {
  return {
    ...stored,
    has_secret: secret !== null,
    redirect_uri: redirectUriOf(baseUrl, orgId),
    sign_in_url: `${baseOf(baseUrl)}/app/sign-in?organisation=${orgId}`,
  };
}

interface Deps extends Ambient {
  readonly signIns: SignInStore;
  readonly baseUrl: BaseUrl;
}

/** Replaces what is stored. Without a secret in the request the client is public. */
export async function putSignIn(
  deps: Deps & {
    readonly issuerTokens: Pick<IssuerTokens, 'discovery'>;
    readonly vault: Pick<Vault, 'encrypt'>;
  },
  principal: Principal,
  { client_secret, label, ...fields }: NewSignIn,
): Promise<SignIn> {
  const orgId = organisationOf(principal, WHAT);
  requireApiKey(principal);
  const discovery = await requireReadable(deps.issuerTokens, fields.issuer);
  if (discovery.authorization_endpoint === undefined || discovery.token_endpoint === undefined)
    throw invalidField('issuer', 'must name an authorization and a token endpoint in its discovery');
  const savedAt = timestamp(deps.now());
  const secret = client_secret === undefined ? null : await sealed(deps, orgId, client_secret);
  let after: StoredSignIn | undefined;
  const isStored = await deps.signIns.change(orgId, (before, hasPersons) => {
    if (before && hasPersons) requireSameClient(before, fields);
    after = {
      ...fields,
      label: label ?? new URL(fields.issuer).host,
      secret,
      created_at: before?.created_at ?? savedAt,
      updated_at: savedAt,
    };
    return {
      after,
      log: logged(principal, deps.now(), signInLog(after, before ? 'updated' : 'created', before)),
    };
  });
  if (!isStored || after === undefined) throw notFound(WHAT);
  return shown(deps.baseUrl, orgId, after);
}

const OF_CLIENT = ['issuer', 'client_id', 'subject_claim'] as const;

/** The registrations are about persons of this issuer, and sessions are ended by this claim. */
function requireSameClient(before: StoredSignIn, after: Pick<NewSignIn, (typeof OF_CLIENT)[number]>): void {
  const changed = OF_CLIENT.find((name) => before[name] !== after[name]);
  if (changed !== undefined)
    throw invalidField(changed, 'cannot change while registrations for persons exist: delete them first');
}

async function sealed(
  { vault, newId }: Pick<Deps, 'newId'> & { vault: Pick<Vault, 'encrypt'> },
  org: string,
  text: string,
) {
  const id = newId();
  const ciphertext = await vault.encrypt(new Secret(text), { org, provider: SIGN_IN_SECRET, keyId: id });
  return { id, ciphertext };
}

const LOGGED = ['issuer', 'client_id', 'subject_claim', 'name_claim', 'scopes'] as const;

function signInLog(signIn: StoredSignIn, action: 'created' | 'updated' | 'deleted', before?: StoredSignIn) {
  const target = { type: 'sign_in', id: signIn.client_id, name: signIn.label } as const;
  const changes =
    action === 'updated' && before
      ? changesBetween<StoredSignIn>(LOGGED, before, signIn)
      : fieldsOf(LOGGED, signIn, action === 'deleted' ? 'ended' : 'made');
  return { projectId: null, action, target, changes };
}

export async function getSignIn(
  { signIns, baseUrl }: { readonly signIns: SignInReader; readonly baseUrl: BaseUrl },
  principal: Principal,
): Promise<SignIn> {
  const orgId = organisationOf(principal, WHAT);
  const stored = await signIns.read(orgId);
  if (stored === undefined) throw notFound(WHAT);
  return shown(baseUrl, orgId, stored);
}

export async function deleteSignIn(
  { signIns, now }: Pick<Deps, 'signIns' | 'now'>,
  principal: Principal,
): Promise<void> {
  const orgId = organisationOf(principal, WHAT);
  requireApiKey(principal);
  const isStored = await signIns.change(orgId, (before, hasPersons) => {
    if (before === undefined) throw notFound(WHAT);
    if (hasPersons)
      throw invalidField(
        'sign-in',
        'cannot be deleted while registrations for persons exist: delete them first',
      );
    return { after: undefined, log: logged(principal, now(), signInLog(before, 'deleted')) };
  });
  if (!isStored) throw notFound(WHAT);
}

/** The sessions of one person, or of all, with the tokens that were made in them. */
export async function endPersonSessions(
  {
    signIns,
    persons,
    now,
  }: Pick<Ambient, 'now'> & { readonly signIns: SignInReader; readonly persons: PersonStore },
  principal: Principal,
  subject: string | undefined,
): Promise<void> {
  const orgId = organisationOf(principal, WHAT);
  requireApiKey(principal);
  const signIn = await signIns.read(orgId);
  if (signIn === undefined) throw notFound(WHAT);
  const whose = subject === undefined ? 'all' : { issuer: signIn.issuer, subject };
  const log = logged(principal, now(), {
    projectId: null,
    action: 'revoked',
    target: { type: 'sign_in', id: signIn.client_id, name: signIn.label },
    changes: { sessions_of: { from: subject ?? 'all', to: null } },
  });
  await persons.endSessions(orgId, whose, now() + CLOCKS_DIFFER_MS, log);
}

/** The function that opened a session may have had a clock ahead of ours. */
const CLOCKS_DIFFER_MS = 1_000;
