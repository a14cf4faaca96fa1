import { rmSync } from 'node:fs';
import { type Api, api } from '../../support/api.ts';
import type { Claims } from '../../support/oidc.ts';
import {
  type EngineService,
  type OwnService,
  startEngineService,
  startOwnService,
} from '../../support/ownService.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { SAME_ORIGIN, type Send, sender } from '../auth/browser.ts';
import { type LyingProvider, startLyingProvider } from './lyingProvider.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Resource = any;

export const CLIENT_ID = 'evalgate-at-acme';

interface Begun {
  /** Of the address that the browser is sent to. */
  readonly sent: URLSearchParams;
  /** As the browser sends it. */
  readonly cookie: string;
}

interface Signed {
  readonly cookie: string;
  readonly page: Send;
}

interface SignInOrganisation {
  readonly id: string;
  readonly client: Api;
  admit(registration: Claims): Promise<Resource>;
  begin(body?: Claims, cookie?: string): Promise<Begun>;
  /** With what the provider answers now. */
  finish(begun: Begun, body?: Claims): ReturnType<Send>;
  /** Throws where there is no session. */
  signIn(body?: Claims): Promise<Signed>;
}

export interface World {
  readonly service: OwnService;
  readonly provider: LyingProvider;
  nowMs(): number;
  organisation(signIn?: Claims): Promise<SignInOrganisation>;
  stop(): Promise<void>;
}

/** What a browser keeps of a `Set-Cookie` line. */
export const kept = (line: string): string => line.slice(0, line.indexOf(';'));

export async function startWorld(kind?: 'engine'): Promise<World & { readonly service: EngineService }> {
  const { folder, keys } = tokenKeys(1);
  let service: OwnService | undefined;
  const nowMs = () => service?.clock.ms ?? Date.now();
  const provider = await startLyingProvider(nowMs);
  const settings = {
    TOKEN_KEY_FILES: keys.map(({ file }) => file).join(),
    ISSUER_ALLOWLIST: new URL(provider.url).host,
  };
  service = await (kind === 'engine' ? startEngineService(settings) : startOwnService(settings));
  const { baseUrl } = service;
  process.env.BASE_URL = baseUrl;

  async function organisation(signIn: Claims = {}): Promise<SignInOrganisation> {
    const { body } = await api(baseUrl)('POST', '/v1/auth/signup', { name: 'Acme' });
    const { id } = body.data.organisation;
    const client = api(baseUrl, body.data.api_key.key);
    const made = await client('PUT', '/v1/sign-in', {
      issuer: provider.url,
      client_id: CLIENT_ID,
      ...signIn,
    });
    if (made.status !== 200) throw new Error(`PUT /v1/sign-in: ${made.status} ${JSON.stringify(made.body)}`);

    async function begin(fields: Claims = {}, cookie?: string): Promise<Begun> {
      const send = sender(baseUrl, { ...SAME_ORIGIN, ...(cookie && { cookie }) });
      const begun = await send('POST', '/v1/auth/sign-in', { organisation: id, ...fields });
      if (begun.status !== 200) throw new Error(`beginning: ${begun.status} ${JSON.stringify(begun.body)}`);
      return { sent: new URL(begun.body.data.url).searchParams, cookie: kept(begun.setCookie[0] ?? '') };
    }

    async function finish({ sent, cookie }: Begun, fields: Claims = {}): ReturnType<Send> {
      const { claims } = provider;
      provider.claims = { aud: CLIENT_ID, nonce: sent.get('nonce'), ...claims };
      const body = { code: 'a-code', state: sent.get('state'), ...fields };
      try {
        return await sender(baseUrl, { ...SAME_ORIGIN, cookie })('POST', '/v1/auth/sign-in/finish', body);
      } finally {
        provider.claims = claims;
      }
    }

    return {
      id,
      client,
      begin,
      finish,
      async admit(registration) {
        const answer = await client('POST', '/v1/trusted-issuers', { for: 'persons', ...registration });
        if (answer.status !== 201)
          throw new Error(`admitting: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body.data;
      },
      async signIn(fields) {
        const { status, body: answered, setCookie } = await finish(await begin(fields));
        if (status !== 201) throw new Error(`signing in: ${status} ${JSON.stringify(answered)}`);
        const cookie = kept(setCookie.find((line) => !line.includes('sign-in')) ?? '');
        return { cookie, page: sender(baseUrl, { ...SAME_ORIGIN, cookie }) };
      },
    };
  }

  return {
    service: service as EngineService,
    provider,
    nowMs,
    organisation,
    async stop() {
      delete process.env.BASE_URL;
      await service.stop();
      await provider.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
