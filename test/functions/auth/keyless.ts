import { rmSync } from 'node:fs';
import { expect } from '@jest/globals';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import {
  aRepository,
  type Claims,
  jobClaims,
  type OidcIssuer,
  type Repository,
  startOidcIssuer,
} from '../../support/oidc.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Resource = any;

export interface KeylessOrganisation {
  readonly id: string;
  readonly client: Api;
  /** Registers a repository, or one more time with other conditions. */
  trust(repository: Repository, conditions?: Claims): Promise<Resource>;
  /** As GitHub gives it to a job of the repository for this organisation. */
  tokenOf(repository: Repository, claims?: Claims): string;
  /** What `tokenOf` is exchanged for. */
  enter(repository: Repository, claims?: Claims, body?: unknown): Promise<ApiAnswer>;
  /** The registrations, newest first. */
  registrations(): Promise<Resource[]>;
}

/** As GitHub does it: the workflow's file is of the job's own ref. */
const fileAt = ({ name }: Repository, { ref }: Claims): Claims =>
  ref === undefined ? {} : { workflow_ref: `${name}/.github/workflows/gate.yml@${ref}` };

export interface Keyless {
  readonly service: OwnService;
  readonly issuer: OidcIssuer;
  nowMs(): number;
  exchange(token: string, body?: unknown): Promise<ApiAnswer>;
  organisation(): Promise<KeylessOrganisation>;
  /** With a repository that it trusts. */
  trusting(
    conditions?: Claims,
  ): Promise<{ org: KeylessOrganisation; repository: Repository; registration: Resource }>;
  stop(): Promise<void>;
}

/** The service, with a stand-in for the issuer of GitHub Actions. `others` are issuers that it may call, too. */
export const startKeyless = (...others: readonly OidcIssuer[]): Promise<Keyless> =>
  startKeylessWith({}, ...others);

export async function startKeylessWith(
  settings: Readonly<Record<string, string>>,
  ...others: readonly OidcIssuer[]
): Promise<Keyless> {
  const issuer = await startOidcIssuer();
  const { folder, keys } = tokenKeys(1);
  const service = await startOwnService({
    GITHUB_OIDC_ISSUER: issuer.url,
    ISSUER_ALLOWLIST: others.map(({ place }) => place).join(),
    TOKEN_KEY_FILES: keys.map(({ file }) => file).join(),
    ...settings,
  });
  const nowMs = () => service.clock.ms ?? Date.now();
  const exchange = (token: string, body?: unknown) =>
    api(service.baseUrl, token)('POST', '/v1/auth/token', body);

  async function organisation(): Promise<KeylessOrganisation> {
    const { body } = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Keyless' });
    const { id } = body.data.organisation;
    const client = api(service.baseUrl, body.data.api_key.key);
    const tokenOf = (repository: Repository, claims: Claims = {}) =>
      issuer.token({ ...jobClaims(id, repository, nowMs()), ...fileAt(repository, claims), ...claims });
    return {
      id,
      client,
      tokenOf,
      enter: (repository, claims, body) => exchange(tokenOf(repository, claims), body),
      async trust({ name }, conditions = {}) {
        const answer = await client('POST', '/v1/trusted-issuers', { repository: name, ...conditions });
        if (answer.status !== 201)
          throw new Error(`trusting: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body.data;
      },
      registrations: async () => (await client('GET', '/v1/trusted-issuers?pageSize=100')).body.data,
    };
  }

  return {
    service,
    issuer,
    nowMs,
    exchange,
    organisation,
    async trusting(conditions) {
      const [org, repository] = [await organisation(), aRepository()];
      return { org, repository, registration: await org.trust(repository, conditions) };
    },
    async stop() {
      await service.stop();
      await issuer.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function expectToken({ status, body }: ApiAnswer): string {
  expect({ status, body }).toEqual({
    status: 200,
    body: { data: { token: expect.any(String), expires_at: expect.any(String) } },
  });
  return body.data.token;
}

/** The 403 that says what a job lacks. */
export function expectLacking({ status, body }: ApiAnswer, sentence: RegExp): void {
  expect({ status, body }).toEqual({
    status: 403,
    body: { error: { code: 'SCOPE_REQUIRED', message: expect.stringMatching(sentence) } },
  });
}

/** The 401 of a request without a credential, to the letter. */
export function expectRefused({ status, body, headers }: ApiAnswer): void {
  expect({ status, body }).toEqual({
    status: 401,
    body: {
      error: {
        code: 'UNAUTHORIZED',
        message: 'The credential is missing or not valid: send the header "Authorization: Bearer <API key>".',
      },
    },
  });
  expect(headers.get('www-authenticate')).toBe('Bearer');
}
