import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';
import { base64url } from './tokenKeys.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function signingKey(type: 'rsa' | 'ec' = 'rsa'): SigningKey {
  const pair =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid: randomUUID(), ...pair };
}

export const jwkOf = ({ kid, publicKey }: SigningKey, more: object = {}): Record<string, unknown> => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  ...more,
});

const KEY_SET = '/.well-known/jwks';
const algOf = ({ publicKey }: SigningKey) => (publicKey.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256');
const urlOf = ({ headers }: IncomingMessage): string => `http://${headers.host}`;

export type JwksAnswer = (response: ServerResponse) => void;
export const json = (value: unknown, status = 200): JwksAnswer => text(JSON.stringify(value), status);
export const text =
  (body: string, status = 200): JwksAnswer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);

export interface OidcIssuer {
  readonly url: string;
  /** `host:port`, as an allow-list names it. */
  readonly place: string;
  /** The signing keys: the newest signs, and the key set contains all. */
  readonly keys: SigningKey[];
  /** The number of requests for the key set. */
  fetches(): number;
  /** The paths of all requests. */
  readonly called: string[];
  /** Sets the answer in place of the key set; undefined restores it. */
  answers(answer: JwksAnswer | undefined): void;
  /** Sets the answer in place of the discovery; undefined restores it. */
  introduces(answer: JwksAnswer | undefined): void;
  /** The token of a job, signed by the newest key by default. */
  token(claims: Claims, signedBy?: SigningKey, header?: Claims): string;
  /** For `sharedIssuer` in another process. */
  exported(): string;
  stop(): Promise<void>;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Simulates the OIDC issuer of a CI system with its discovery and key set over HTTP. */
export async function startOidcIssuer(type: 'rsa' | 'ec' = 'rsa'): Promise<OidcIssuer> {
  const keys = [signingKey(type)];
  const called: string[] = [];
  let other: JwksAnswer | undefined;
  let introduction: JwksAnswer | undefined;
  const server = createServer((request, response) => {
    called.push(String(request.url));
    const keySet = json({ keys: keys.map((key) => jwkOf(key)) });
    if (request.url === '/elsewhere') return keySet(response);
    if (request.url === '/.well-known/openid-configuration') {
      const discovery = json({ issuer: urlOf(request), jwks_uri: `${urlOf(request)}${KEY_SET}` });
      return (introduction ?? discovery)(response);
    }
    if (request.url !== KEY_SET) return void response.writeHead(404).end();
    (other ?? keySet)(response);
  });
  const { url, port, stop } = await listening(server);
  return {
    url,
    place: `127.0.0.1:${port}`,
    keys,
    fetches: () => called.filter((path) => path === KEY_SET).length,
    called,
    answers: (answer) => {
      other = answer;
    },
    introduces: (answer) => {
      introduction = answer;
    },
    token: (claims, key = keys[0] as SigningKey, header = {}) =>
      signedJwt({ alg: algOf(key), typ: 'JWT', kid: key.kid, ...header }, { iss: url, ...claims }, key),
    exported: () => {
      const { kid, privateKey } = keys[0] as SigningKey;
      return JSON.stringify({ url, kid, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) });
    },
    stop,
  };
}

/** The issuer that the shared service trusts. */
export function sharedIssuer(): { token(claims: Claims): string } {
  const exported = process.env.EVALGATE_TEST_ISSUER;
  if (exported === undefined) throw new Error('The shared service trusts no issuer: see globalSetup.ts.');
  const { url, kid, pem } = JSON.parse(exported);
  const privateKey = createPrivateKey(pem);
  const header = { alg: 'RS256', typ: 'JWT', kid };
  return { token: (claims) => signedJwt(header, { iss: url, ...claims }, { privateKey }) };
}

/** Signs by SHA-256, whatever the header states. A string payload is used as it is. */
export function signedJwt(
  header: unknown,
  payload: unknown,
  { privateKey }: Pick<SigningKey, 'privateKey'>,
): string {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  const signature = sign('SHA256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export interface Repository {
  readonly name: string;
  readonly id: string;
  readonly ownerId: string;
}

let made = 0;
/** A repository for one test only. */
export const aRepository = (name = `octo-org/app-${++made}-${randomUUID().slice(0, 8)}`): Repository => ({
  name,
  id: String(70_000_000 + ++made),
  ownerId: String(900_000 + ++made),
});

/** GitHub's claims for a job on a push to the main branch; `nowMs` is the time of its token. */
export function jobClaims(orgId: string, repository: Repository, nowMs = Date.now()): Claims {
  const { name, id, ownerId } = repository;
  const [owner] = name.split('/');
  const iat = Math.floor(nowMs / 1_000);
  return {
    jti: randomUUID(),
    aud: `evalgate:${orgId}`,
    sub: `repo:${name}:ref:refs/heads/main`,
    ref: 'refs/heads/main',
    ref_type: 'branch',
    ref_protected: 'true',
    sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
    repository: name,
    repository_id: id,
    repository_owner: owner,
    repository_owner_id: ownerId,
    repository_visibility: 'private',
    run_id: '17234567890',
    run_number: '42',
    run_attempt: '1',
    runner_environment: 'github-hosted',
    actor: 'octocat',
    actor_id: '583231',
    workflow: 'Gate',
    workflow_ref: `${name}/.github/workflows/gate.yml@refs/heads/main`,
    workflow_sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
    job_workflow_ref: `${name}/.github/workflows/gate.yml@refs/heads/main`,
    event_name: 'push',
    head_ref: '',
    base_ref: '',
    nbf: iat - 600,
    iat,
    exp: iat + 300,
  };
}
