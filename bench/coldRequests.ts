import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WORKERS } from '../infra/aws/functions.ts';
import { api } from '../test/support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../test/support/builders.ts';
import { gatewayEvent } from '../test/support/bundles.ts';
import { startEngineService, TABLE_NAME } from '../test/support/ownService.ts';

/** A first request for a function of each kind, and the variables that it is deployed with. */
export interface Requests {
  readonly ids: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  eventOf(functionId: string): unknown;
  stop(): Promise<void>;
}

/** Nothing listens there, so that no measured time is waiting. */
const NOWHERE = 'http://127.0.0.1:9';

const PAYMENTS = {
  STRIPE_SECRET_KEY: 'sk_test_cold',
  STRIPE_API_BASE: NOWHERE,
  STRIPE_WEBHOOK_SECRETS: 'whsec_cold',
  STRIPE_PRICE_PRO: 'price_pro',
  STRIPE_PRICE_SCALE: 'price_scale',
  STRIPE_PRICE_PRO_OVERAGE: 'price_pro_overage',
  STRIPE_PRICE_SCALE_OVERAGE: 'price_scale_overage',
  STRIPE_METER_EVENT_NAME: 'runs',
};

function writeKeys(folder: string): { VAULT_KEY_FILE: string; TOKEN_KEY_FILES: string } {
  const VAULT_KEY_FILE = path.join(folder, 'vault-key');
  writeFileSync(VAULT_KEY_FILE, randomBytes(32));
  const TOKEN_KEY_FILES = path.join(folder, 'token-key.pem');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  writeFileSync(TOKEN_KEY_FILES, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return { VAULT_KEY_FILE, TOKEN_KEY_FILES };
}

export async function coldRequests(): Promise<Requests> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-cold-'));
  const service = await startEngineService();
  const { body } = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Cold' });
  const { key } = body.data.api_key;
  const client = api(service.baseUrl, key);
  const { slug } = await makeProject(client);
  const suite = await makeSuite(client, { slug });
  const scorer = await makeScorer(client, { slug }, { type: 'contains', config: { values: ['yes'] } });
  await makeCase(client, suite, scorer);
  const run = { project: slug, suite: suite.slug, output: 'yes' };
  const schema = { name: 'A schema', type: 'json_schema', config: { schema: { type: 'object' } } };
  const purchase = { plan: 'pro', success_url: 'https://app.example/', cancel_url: 'https://app.example/' };

  const inProject = (json?: unknown) => gatewayEvent({ key, pathParameters: { slug }, body: json });
  const events = new Map<string, () => unknown>([
    ['templates/list', () => gatewayEvent({})],
    ['projects/get', () => inProject()],
    ['runs/list', () => gatewayEvent({ key, pathParameters: { suiteId: suite.id } })],
    ['suites/create', () => inProject({ name: 'A suite' })],
    ['suites/createFromTemplate', () => inProject({ template_slug: 'code-review' })],
    ['scorers/create', () => inProject(schema)],
    ['byokKeys/create', () => gatewayEvent({ key, body: { provider: 'openai', key: 'sk-0123456789' } })],
    ['auth/token', () => gatewayEvent({ key, body: {} })],
    ['runs/create', () => gatewayEvent({ key, body: run })],
    ['billing/portal', () => gatewayEvent({ key, body: {} })],
    ['billing/checkout', () => gatewayEvent({ key, body: purchase })],
    ['billing/webhook', () => gatewayEvent({ body: {} })],
    [WORKERS.evaluate, () => ({ Records: [] })],
    [WORKERS.deadLetters, () => ({ Records: [] })],
    [WORKERS.sweep, () => ({})],
    [WORKERS.reportOverage, () => ({})],
  ]);
  return {
    ids: [...events.keys()],
    variables: {
      TABLE_NAME,
      DYNAMODB_ENDPOINT: service.endpoint,
      SQS_ENDPOINT: NOWHERE,
      QUEUE_URL: `${NOWHERE}/000000000000/evaluations`,
      LOG_LEVEL: 'error',
      ...PAYMENTS,
      ...writeKeys(folder),
    },
    eventOf: (id) => events.get(id)?.() ?? {},
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
