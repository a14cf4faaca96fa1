import { createServer, type IncomingMessage } from 'node:http';
import { listening } from '../../support/listening.ts';
import {
  type Claims,
  json,
  jwkOf,
  type SigningKey,
  signedJwt,
  signingKey,
  text,
} from '../../support/oidc.ts';

interface TokenRequest {
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

export interface LyingProvider {
  readonly url: string;
  readonly keys: SigningKey[];
  /** All that came to the token endpoint. */
  readonly tokenRequests: TokenRequest[];
  /** What discovery has beside the addresses. */
  discovery: Claims;
  /** The next ID token; by default that of a person whom it names well. */
  claims: Claims;
  header: Claims;
  signer: SigningKey | undefined;
  /** In place of the answer of the token endpoint. */
  answer: { readonly status: number; readonly body: unknown } | undefined;
  /** The number of requests that it got. */
  requests(): number;
  reset(): void;
  stop(): Promise<void>;
}

async function fieldsOf(request: IncomingMessage): Promise<Record<string, string>> {
  const body = Buffer.concat(await request.toArray()).toString();
  return Object.fromEntries(new URLSearchParams(body));
}

/** A provider of sign-ins that answers what the test makes it answer. */
export async function startLyingProvider(nowMs: () => number): Promise<LyingProvider> {
  let requests = 0;
  const keys = [signingKey()];
  const server = createServer(async (request, response) => {
    requests++;
    const { url } = provider;
    if (request.url === '/.well-known/openid-configuration') {
      const addresses = {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
      };
      return json({ ...addresses, ...provider.discovery })(response);
    }
    if (request.url === '/keys') return json({ keys: provider.keys.map((key) => jwkOf(key)) })(response);
    if (request.url !== '/token') return void response.writeHead(404).end();
    const fields = await fieldsOf(request);
    provider.tokenRequests.push({ authorization: request.headers.authorization, fields });
    const { answer, signer = keys[0] as SigningKey, header, claims } = provider;
    if (answer) return text(JSON.stringify(answer.body), answer.status)(response);
    const iat = Math.floor(nowMs() / 1_000);
    const { kid } = signer;
    const idToken = signedJwt(
      { alg: 'RS256', typ: 'JWT', kid, ...header },
      { iss: url, sub: 'person-1', name: 'Ada Lovelace', iat, exp: iat + 300, auth_time: iat, ...claims },
      signer,
    );
    return json({ access_token: 'unused', token_type: 'Bearer', id_token: idToken })(response);
  });
  const { url, stop } = await listening(server);
  const honest = { discovery: {}, claims: {}, header: {}, signer: undefined, answer: undefined };
  const provider: LyingProvider = {
    url,
    keys,
    tokenRequests: [],
    ...honest,
    requests: () => requests,
    reset() {
      Object.assign(provider, honest);
      provider.tokenRequests.length = 0;
    },
    stop,
  };
  return provider;
}
