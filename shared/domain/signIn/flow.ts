import { createHash, randomBytes } from 'node:crypto';
import { SIGN_IN_SECRET } from '../../contracts/base/providers.ts';
import type { IssuerTokens, Person, Token, TokenIssuer, TrustStore } from '../accounts/ports.ts';
import type { Vault } from '../byok/ports.ts';
import { AppError, notFound } from '../errors.ts';
import { type Claims, claimAt } from '../issuers/claimConditions.ts';
import { withLiveProjects } from '../issuers/liveProjects.ts';
import { admittedBy, fitsPerson } from '../issuers/persons.ts';
import { PERSON_SECONDS } from '../limits.ts';
import type { Ambient } from '../ports.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { DAY_SECONDS, timestamp } from '../time.ts';
import { type BaseUrl, redirectUriOf } from './configure.ts';
import type { Begun, Returned, SignInProvider, SignInReader, StoredSignIn } from './ports.ts';

const randomText = (): string => randomBytes(32).toString('base64url');

interface Beginning {
  readonly organisation: string;
  readonly project?: string | undefined;
  readonly fresh: boolean;
}

interface BeginDeps extends Pick<Ambient, 'now'> {
  readonly signIns: SignInReader;
  readonly issuerTokens: Pick<IssuerTokens, 'discovery'>;
  readonly baseUrl: BaseUrl;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where the browser goes, and what it brings back. The same 404 for no sign-in and no organisation. */
export async function beginSignIn(
  { signIns, issuerTokens, baseUrl, now }: BeginDeps,
  { organisation: orgId, project, fresh }: Beginning,
  expects: Person | undefined,
): Promise<{ readonly url: string; readonly label: string; readonly begun: Begun }> {
  const signIn = UUID.test(orgId) ? await signIns.read(orgId) : undefined;
  if (signIn === undefined) throw notFound('sign-in');
  const { issuer, client_id: clientId, label } = signIn;
  const { authorization_endpoint } = await issuerTokens.discovery(issuer);
  if (authorization_endpoint === undefined)
    throw misconfigured('its provider names no address to sign in at any more');
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()];
  const freshSince = fresh ? Math.floor(now() / 1_000) : undefined;
  const url = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUriOf(baseUrl, orgId),
    scope: ['openid', 'profile', 'email', ...signIn.scopes].join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(fresh && { prompt: 'login', max_age: '0' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return {
    url: url.href,
    label,
    begun: { orgId, issuer, clientId, project, state, nonce, verifier, freshSince, expects },
  };
}

/** One sentence a cause. Nothing that a provider answered is quoted. */
export const failed = (cause: string, remedy = 'Begin the sign-in again.'): AppError =>
  new AppError('SIGN_IN_FAILED', `You are not signed in: ${cause}. ${remedy}`);

/** What another try meets again. */
export const misconfigured = (cause: string): AppError =>
  failed(cause, 'Ask the administrator of your organisation to correct its sign-in.');

interface FinishDeps extends Pick<Ambient, 'now'> {
  readonly signIns: SignInReader;
  readonly issuerTokens: IssuerTokens;
  readonly provider: SignInProvider;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly trust: Pick<TrustStore, 'list' | 'recordUse'>;
  readonly projects: Pick<ProjectStore, 'find' | 'head'>;
  readonly tokens: TokenIssuer;
  readonly baseUrl: BaseUrl;
}

/** A session for the person that the provider names. `begun`: of the browser's cookie; undefined without one. */
export async function finishSignIn(
  deps: FinishDeps,
  begun: Begun | undefined,
  returned: Returned,
): Promise<Token & { readonly seconds: number }> {
  if (begun === undefined)
    throw failed('the sign-in was begun in another browser, more than ten minutes ago, or has been used');
  const { orgId, issuer, clientId } = begun;
  if (returned.state !== begun.state) throw failed('the answer of the provider is to another sign-in');
  const signIn = await deps.signIns.read(orgId);
  if (signIn?.issuer !== issuer || signIn.client_id !== clientId)
    throw failed('the organisation has changed its provider meanwhile');
  const claims = await claimsOf(deps, { signIn, begun, returned });
  const person = personOf(signIn, claims);
  const authSeconds = checkedAuthTime(deps, begun, claims);
  requireExpected(begun, person);
  const registration = await admit(deps, begun, claims);
  const credential = { type: 'person', registration_id: registration.id, ...person } as const;
  const { project_id: projectId, scope } = registration;
  const session = await deps.tokens.issue({ orgId, projectId, scope, credential }, PERSON_SECONDS, {
    session: { authSeconds },
  });
  const use = { at: timestamp(deps.now()), repository: undefined };
  await deps.trust.recordUse(orgId, registration.id, use).catch(() => undefined);
  return { ...session, seconds: PERSON_SECONDS };
}

interface Redeeming {
  readonly signIn: StoredSignIn;
  readonly begun: Begun;
  readonly returned: Returned;
}

/** Of the ID token, after all checks. */
async function claimsOf(deps: FinishDeps, { signIn, begun, returned }: Redeeming): Promise<Claims> {
  const { issuerTokens, provider, vault, baseUrl } = deps;
  const { orgId, issuer } = begun;
  const discovery = await issuerTokens.discovery(issuer);
  const { secret: sealed } = signIn;
  const context = { org: orgId, provider: SIGN_IN_SECRET, keyId: sealed?.id ?? '' } as const;
  const secret = sealed === null ? undefined : await vault.decrypt(sealed.ciphertext, context);
  const redirectUri = redirectUriOf(baseUrl, orgId);
  const { idToken } = await provider.redeem({ ...signIn, secret, discovery, redirectUri }, begun, returned);
  const issued = await issuerTokens.verify(idToken, { issuer, secondsMax: DAY_SECONDS });
  if (issued === undefined)
    throw failed("the provider's token is not signed by its keys, or not in its time");
  return issued.claims;
}

const SUBJECT_CHARACTERS_MAX = 255;
const NAME_CHARACTERS_MAX = 100;

function personOf({ issuer, subject_claim, name_claim }: StoredSignIn, claims: Claims) {
  const subject = claimAt(claims, subject_claim);
  if (typeof subject !== 'string' || !/^\P{C}+$/u.test(subject) || subject.length > SUBJECT_CHARACTERS_MAX)
    throw misconfigured(
      `the provider's ID token has no usable claim ${subject_claim}, the subject_claim of the sign-in`,
    );
  const called = name_claim === null ? undefined : claimAt(claims, name_claim);
  const name =
    typeof called === 'string'
      ? [...called.replace(/\p{C}/gu, '').trim()].slice(0, NAME_CHARACTERS_MAX).join('')
      : '';
  return { issuer, subject, name: name === '' ? null : name };
}

const CLOCK_SECONDS = 30;

/** When the person signed in at the provider, in seconds since 1970. A sign-in that has to be fresh needs it. */
function checkedAuthTime(
  { now }: Pick<Ambient, 'now'>,
  { freshSince }: Begun,
  { auth_time }: Claims,
): number | undefined {
  const nowSeconds = now() / 1_000;
  const isTime = typeof auth_time === 'number' && auth_time <= nowSeconds + CLOCK_SECONDS;
  if (freshSince !== undefined && (!isTime || auth_time < freshSince - CLOCK_SECONDS))
    throw new AppError(
      'REAUTHENTICATION_REQUIRED',
      'The provider does not state that you signed in just now. Where it took your password, it sends no auth_time: ask your administrator to turn that on.',
    );
  return isTime ? auth_time : undefined;
}

function requireExpected({ expects }: Begun, { issuer, subject }: Person): void {
  if (expects === undefined || (expects.issuer === issuer && expects.subject === subject)) return;
  throw new AppError(
    'REAUTHENTICATION_REQUIRED',
    'Another person came back than the one who is signed in: sign out first, or sign in as the same person.',
  );
}

async function admit({ trust, projects }: FinishDeps, { orgId, issuer, project }: Begun, claims: Claims) {
  const all = await trust.list(orgId);
  const ofPersons = all.filter(
    (one) => one.for === 'persons' && one.issuer === issuer && fitsPerson(one, claims),
  );
  const [live, head] = await Promise.all([
    withLiveProjects({ projects }, orgId, ofPersons),
    project === undefined ? undefined : projects.head(orgId, project),
  ]);
  return admittedBy(live, claims, head?.id);
}
