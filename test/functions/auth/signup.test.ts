import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { NAMES, testFields } from '../../support/rules.ts';

const baseUrl = sharedServiceUrl();
const anyone = api(baseUrl);
const signUp = (body: unknown) => anyone('POST', '/v1/auth/signup', body);

describe('POST /v1/auth/signup', () => {
  test('makes an organisation on the Free plan and shows its first key once', async () => {
    const answer = await signUp({ name: '  Ärzte ohne Zahlen 🧪 ' });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: {
        data: {
          organisation: {
            id: UUID,
            name: 'Ärzte ohne Zahlen 🧪',
            plan: 'free',
            created_at: TIMESTAMP,
            updated_at: TIMESTAMP,
          },
          api_key: {
            id: UUID,
            name: expect.any(String),
            key: expect.stringMatching(/^egk_[0-9A-Za-z]{49}$/),
            key_prefix: expect.any(String),
            project_id: null,
            scope: 'full',
            expires_at: null,
            created_by: null,
            last_used_at: null,
            created_at: TIMESTAMP,
          },
        },
      },
    });
    const { organisation, api_key } = answer.body.data;
    expect(api_key.key.startsWith(api_key.key_prefix)).toBe(true);
    expect(api_key.key_prefix.length).toBeLessThan(20);
    expect(organisation.updated_at).toBe(organisation.created_at);
  });

  test('gives a key that works at once, for an organisation that owns nothing yet', async () => {
    const { key } = (await signUp({ name: 'New' })).body.data.api_key;
    const answer = await api(baseUrl, key)('GET', '/v1/projects');
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { data: [], pagination: { page: 1, pageSize: 20, total: 0, hasMore: false } },
    });
  });

  test('makes two organisations of one name, each with its own key', async () => {
    const [one, two] = await Promise.all([signUp({ name: 'Twin' }), signUp({ name: 'Twin' })]);
    expect(one.body.data.organisation.id).not.toBe(two.body.data.organisation.id);
    expect(one.body.data.api_key.key).not.toBe(two.body.data.api_key.key);
  });

  test('ignores every field but the name', async () => {
    const wanted = {
      id: 'x',
      plan: 'enterprise',
      organisation: { plan: 'scale' },
      key: 'egk_mine',
      extra: 1,
    };
    const { organisation, api_key } = (await signUp({ name: 'Modest', ...wanted })).body.data;
    expect(organisation).toMatchObject({ id: UUID, plan: 'free' });
    expect(api_key.key).not.toBe('egk_mine');
    expect(Object.keys(organisation).sort()).toEqual(['created_at', 'id', 'name', 'plan', 'updated_at']);
  });

  testFields(signUp, { name: { bad: NAMES.bad } });

  test('asks for a name', async () => {
    expectInvalid(await signUp({}), 'name');
  });
});

describe('where sign-up is closed', () => {
  let service: OwnService;
  beforeAll(async () => {
    service = await startOwnService({ SIGN_UP: 'closed' });
  });
  afterAll(() => service.stop());

  test.each<readonly [string, unknown]>([
    ['good', { name: 'Late' }],
    ['invalid', {}],
    ['no JSON', '{broken'],
  ])('a request whose body is %s is a 404, and makes nothing', async (_, body) => {
    expectNotFound(await api(service.baseUrl)('POST', '/v1/auth/signup', body));
    expect(service.log.map(({ code }) => code)).not.toContain('api_key_created');
  });
});
