import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Context, Provider } from 'oidc-provider';
import { signingKey } from '../oidc.ts';
import type { Person, ProviderClient, ProviderCommand } from '../provider.ts';

/** The provider of `provider.ts`, in a process of its own: the package cannot be loaded by a test. */

type Payload = Record<string, unknown>;
const stored = new Map<string, Payload>();

/** Stores each kind of record in memory, under its own prefix. */
class Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  #key(id: string): string {
    return `${this.#kind} ${id}`;
  }

  async upsert(id: string, payload: Payload): Promise<void> {
    stored.set(this.#key(id), payload);
  }

  async find(id: string): Promise<Payload | undefined> {
    return stored.get(this.#key(id));
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return [...stored].find(([key, payload]) => key.startsWith(`${this.#kind} `) && payload.uid === uid)?.[1];
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = stored.get(this.#key(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string): Promise<void> {
    stored.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
  }
}

const persons = new Map<string, Person>();
let isDown = false;

/** The answer to the login form: the person by the name that was typed. */
const LOGIN = `<!doctype html><html lang="en"><title>Login of the provider</title>
<form method="post"><label>Login <input name="login" autofocus></label><button>Log in</button></form>
<form method="post"><button name="login" value="">Refuse</button></form>`;

const SCOPES = ['openid', 'profile', 'email', 'groups'];

function configuration(): object {
  const { kid, privateKey } = signingKey();
  return {
    adapter: Adapter,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['the key of a test'] },
    scopes: SCOPES,
    claims: {
      openid: ['sub', 'oid', 'roles', 'hd'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    // Claims come in the ID token, as most providers have them by default.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 3_600,
      Grant: 3_600,
    },
    renderError: (context: { body: string }, { error, error_description: why }: Record<string, string>) => {
      context.body = `${error}: ${why}`;
    },
    async findAccount(_: unknown, id: string) {
      const person = [...persons.values()].find(({ subject }) => subject === id);
      return person && { accountId: id, claims: async () => ({ sub: id, ...person.claims }) };
    },
    /** Everyone has agreed before. */
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
      grant.addOIDCScope(SCOPES.join(' '));
      await grant.save();
      return grant;
    },
  };
}

async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(LOGIN);
    return;
  }
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk);
  const person = persons.get(new URLSearchParams(Buffer.concat(body).toString()).get('login') ?? '');
  const ts = Math.floor(Date.now() / 1_000) - (person?.loggedInSecondsAgo ?? 0);
  await provider.interactionFinished(
    request,
    response,
    person
      ? { login: { accountId: person.subject, ts } }
      : { error: 'access_denied', error_description: 'The person <b>refused</b>.' },
  );
}

const server = createServer((request, response) => {
  if (isDown) return void response.writeHead(503).end();
  if (request.url?.startsWith('/interaction/')) return void interact(request, response);
  handle(request, response);
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
/** By another name than the service's, which makes it another site. */
const issuer = `http://localhost:${port}`;
const provider = new Provider(issuer, configuration());
provider.on('server_error', (_, error) => console.error(error));
const handle = provider.callback();

const client = ({ id, redirectUris, secret }: ProviderClient): Payload => ({
  client_id: id,
  redirect_uris: redirectUris,
  grant_types: ['authorization_code'],
  response_types: ['code'],
  require_auth_time: true,
  ...(secret === undefined
    ? { token_endpoint_auth_method: 'none' }
    : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
});

process.on('message', (command: ProviderCommand) => {
  if ('person' in command) persons.set(command.login, command.person);
  if ('client' in command) stored.set(`Client ${command.client.id}`, client(command.client));
  if ('isDown' in command) isDown = command.isDown;
  process.send?.('done');
});
process.on('disconnect', () => process.exit());
process.send?.({ issuer });
