import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { NODE } from './processes.ts';

export interface Person {
  readonly subject: string;
  /** Of the ID token, beside `sub`: `name`, `email`, `email_verified`, `groups`, `oid`, … */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** When the person logged in before, as `auth_time` has it. */
  readonly loggedInSecondsAgo?: number;
}

export interface ProviderClient {
  readonly id: string;
  readonly redirectUris: readonly string[];
  /** Left out: a public client. */
  readonly secret?: string;
}

export type ProviderCommand =
  | { readonly login: string; readonly person: Person }
  | { readonly client: ProviderClient }
  | { readonly isDown: boolean };

/** A certified OpenID Connect provider (`oidc-provider`), with a login form of one field: `Login`. */
export interface Provider {
  /** By http on `localhost`, which is another site than the service's `127.0.0.1`. */
  readonly issuer: string;
  /** For `ISSUER_ALLOWLIST`. */
  readonly place: string;
  /** Takes effect at the next login or token. */
  person(login: string, person: Person): Promise<void>;
  client(client: ProviderClient): Promise<void>;
  /** Whether each request is answered by a 503. */
  down(isDown: boolean): Promise<void>;
  /**
   * What a browser without sessions does at the address of an authorization: it logs in, and follows redirects up to the
   * redirect URI. Resolves with the parameters that come there.
   */
  logIn(authorizationUrl: string, login: string): Promise<URLSearchParams>;
  stop(): Promise<void>;
}

export async function startProvider(): Promise<Provider> {
  const child = fork(path.join(import.meta.dirname, 'provider/serve.ts'), {
    execPath: NODE,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const answered = async (): Promise<unknown> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      exited.then(([code]) => {
        throw new Error(`The provider ended with exit code ${code}.`);
      }),
    ]);
    return message;
  };
  const { issuer } = (await answered()) as { issuer: string };
  const tell = async (command: ProviderCommand): Promise<void> => {
    child.send(command);
    await answered();
  };
  return {
    issuer,
    place: new URL(issuer).host,
    person: (login, person) => tell({ login, person }),
    client: (client) => tell({ client }),
    down: (isDown) => tell({ isDown }),
    logIn: (url, login) => logIn(issuer, url, login),
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}

async function logIn(issuer: string, authorizationUrl: string, login: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let [url, body]: [string, URLSearchParams | undefined] = [authorizationUrl, undefined];
  while (url.startsWith(`${issuer}/`)) {
    const answer: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    const isForm: boolean = location === null && answer.status === 200 && body === undefined;
    if (location === null && !isForm) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    body = isForm ? new URLSearchParams({ login }) : undefined;
    url = isForm ? url : new URL(location ?? '', url).href;
  }
  return new URL(url).searchParams;
}
