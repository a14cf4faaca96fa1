import http from 'node:http';
import { githubOidc } from '../sdk/githubOidc.ts';
import { Evalgate } from '../sdk/index.ts';
import { type Io, variable } from './io.ts';
import type { CliCredential } from './settings/settings.ts';

export const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Whether there is one in the environment. */
export const proxyOf = (io: Pick<Io, 'env'>): string | undefined =>
  PROXY_VARIABLES.find((name) => variable(io, name) !== undefined);

/** Node goes through the environment's proxy only when it is told to; some versions can't be told. */
const useProxy = (): void => {
  const { setGlobalProxyFromEnv } = http as Partial<typeof http>;
  setGlobalProxyFromEnv?.();
};

export function createClient(io: Io, url: string, credential?: CliCredential): Evalgate {
  if (proxyOf(io) !== undefined) useProxy();
  const apiKey =
    credential?.type === 'oidc' ? githubOidc({ organisation: credential.organisation }) : credential?.apiKey;
  return new Evalgate({ url, apiKey });
}
