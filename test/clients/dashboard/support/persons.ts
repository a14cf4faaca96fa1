import path from 'node:path';
import type { Page } from 'playwright-core';
import { type Api, api } from '../../../support/api.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { type Provider, startProvider } from '../../../support/provider.ts';
import { type RunningService, startService } from '../../../support/service.ts';

/** An organisation whose persons sign in at the provider. */
export interface SignInOrganisation {
  readonly id: string;
  /** Of scope full. */
  readonly key: string;
  readonly client: Api;
  /** `/app/sign-in?organisation=…`, of this service. */
  readonly link: string;
}

export interface Persons {
  readonly url: string;
  readonly provider: Provider;
  readonly service: RunningService;
  /** Groups of persons → the scope that its members have. */
  organisation(groups: Readonly<Record<string, string>>, name?: string): Promise<SignInOrganisation>;
  stop(): Promise<void>;
}

/** Answers of success only. */
export async function sent(client: Api, method: string, address: string, body?: object) {
  const { status, body: answer } = await client(method, address, body);
  if (status >= 300) throw new Error(`${method} ${address}: ${status} ${JSON.stringify(answer)}`);
  return answer?.data;
}

const IN_MEMORY = path.join(REPOSITORY_DIR, 'test/support/memory/inMemory.ts');

/** A service that trusts a provider of its own, as `npm start` runs it. */
export async function startPersons(): Promise<Persons> {
  const provider = await startProvider();
  const service = await startService({
    fromSources: true,
    env: { ISSUER_ALLOWLIST: provider.place, NODE_OPTIONS: `--import=${IN_MEMORY}` },
  });
  const url = service.baseUrl;
  let made = 0;
  return {
    url,
    provider,
    service,
    async organisation(groups, name = 'Acme Robotics') {
      const { organisation, api_key } = await sent(api(url), 'POST', '/v1/auth/signup', { name });
      const client = api(url, api_key.key);
      const clientId = `evalgate-${++made}`;
      const signIn = await sent(client, 'PUT', '/v1/sign-in', {
        issuer: provider.issuer,
        client_id: clientId,
        scopes: ['groups'],
        label: 'Acme login',
      });
      await provider.client({ id: clientId, redirectUris: [signIn.redirect_uri] });
      for (const [group, scope] of Object.entries(groups)) {
        await sent(client, 'POST', '/v1/trusted-issuers', {
          for: 'persons',
          claims: { groups: group },
          scope,
        });
      }
      const link = new URL(signIn.sign_in_url);
      return { id: organisation.id, key: api_key.key, client, link: link.pathname + link.search };
    },
    async stop() {
      await service.stop();
      await provider.stop();
    },
  };
}

/** At the provider, whose form the page is sent to. */
export async function logInAt(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: /^Sign in with/ }).click();
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button', { name: 'Log in' }).click();
}
