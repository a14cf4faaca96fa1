import { type OnConnection, watched } from '../gate/connection.ts';
import { githubOidc } from '../sdk/githubOidc.ts';
import { Evalgate } from '../sdk/index.ts';
import { createSend, type Send } from '../sdk/transport/send.ts';
import { type Options, settingsOf } from '../sdk/transport/settings.ts';
import { directFetch, type Fetch } from './directFetch.ts';
import { exchangedOnce } from './idToken.ts';
import { type Io, variable } from './io.ts';
import { Problem } from './problem.ts';
import type { CliCredential } from './settings/settings.ts';

export const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Whether there is one in the environment. */
export const proxyOf = (io: Pick<Io, 'env'>): string | undefined =>
  PROXY_VARIABLES.find((name) => variable(io, name) !== undefined);

/** Node uses the environment's proxy only when it is switched on; some versions can't. */
async function throughProxy(): Promise<Fetch> {
  const { default: http } = await import('node:http');
  const { setGlobalProxyFromEnv } = http as Partial<typeof http>;
  setGlobalProxyFromEnv?.();
  return fetch;
}

/** Calls what `get` gets when it is first needed. */
function later(get: () => Promise<Fetch>): Fetch {
  let got: Promise<Fetch> | undefined;
  return async (url, init) => {
    got ??= get();
    return (await got)(url, init);
  };
}

/** Further tries after a failed one; the client's own number unless the environment says another. */
function retriesOf(io: Pick<Io, 'env'>): number | undefined {
  const given = variable(io, 'EVALGATE_RETRIES');
  if (given === undefined) return undefined;
  if (/^\d{1,2}$/.test(given)) return Number(given);
  throw new Problem(`EVALGATE_RETRIES is no number: ${given}.`, 'Such as 0, or 4, which it is by default.');
}

export interface Service {
  readonly url: string;
  readonly credential?: CliCredential | undefined;
  readonly scope?: 'run' | 'suites' | undefined;
}

function optionsOf(io: Io, { url, credential, scope }: Service, onConnection?: OnConnection): Options {
  const fetch = proxyOf(io) === undefined ? directFetch : later(throughProxy);
  const environment = {
    ...io.clock,
    gzip,
    variable: (name: string) => io.env[name],
    fetch: onConnection === undefined ? fetch : watched(fetch, onConnection),
  };
  return { url, apiKey: sourceOf(io, credential, scope), retries: retriesOf(io), environment };
}

function sourceOf(io: Io, credential: CliCredential | undefined, scope: Service['scope']): Options['apiKey'] {
  if (credential?.type === 'oidc') return githubOidc({ ...credential, scope });
  if (credential?.type !== 'id_token') return credential?.apiKey;
  const { idToken, onToken } = credential;
  const exchange = exchangedOnce(io, idToken, scope);
  return async (service) => {
    const token = await exchange(service);
    onToken?.(token);
    return token;
  };
}

/** As the SDK does it, without what Node loads for that: 14 MB. */
const gzip = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  process.getBuiltinModule('node:zlib').gzipSync(text);

export const createClient = (io: Io, service: Service, onConnection?: OnConnection): Evalgate =>
  new Evalgate(optionsOf(io, service, onConnection));

/** For requests that are no operation of the client. */
export const createSender = (io: Io, service: Service): Send =>
  createSend(settingsOf(optionsOf(io, service)));
