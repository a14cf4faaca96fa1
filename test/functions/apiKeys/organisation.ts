import type { ApiKey, PlanId } from '../../../shared/contracts/auth.ts';
import { type Api, api } from '../../support/api.ts';
import type { OwnService } from '../../support/ownService.ts';

export type MadeKey = ApiKey & { readonly key: string };

export interface Organisation {
  readonly id: string;
  readonly plan: PlanId;
  /** Calls with the first key. */
  readonly client: Api;
  readonly first: MadeKey;
}

export async function newOrganisation({ baseUrl }: Pick<OwnService, 'baseUrl'>): Promise<Organisation> {
  const { status, body } = await api(baseUrl)('POST', '/v1/auth/signup', { name: 'Key holders' });
  if (status !== 201) throw new Error(`signing up: ${status} ${JSON.stringify(body)}`);
  const { organisation, api_key } = body.data;
  return { ...organisation, client: api(baseUrl, api_key.key), first: api_key };
}

export async function makeKey(client: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<MadeKey> {
  const { status, body } = await client('POST', '/v1/api-keys', { name: 'Another', ...fields });
  if (status !== 201) throw new Error(`making a key: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

export async function makeToken({ baseUrl }: Pick<OwnService, 'baseUrl'>, key: string): Promise<string> {
  const { status, body } = await api(baseUrl, key)('POST', '/v1/auth/token');
  if (status !== 200) throw new Error(`making a token: ${status} ${JSON.stringify(body)}`);
  return body.data.token;
}

/** What somebody with this credential is answered. */
export const statusFor = async ({ baseUrl }: Pick<OwnService, 'baseUrl'>, credential: string) =>
  (await api(baseUrl, credential)('GET', '/v1/projects')).status;
