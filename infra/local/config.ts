import path from 'node:path';
import * as z from 'zod';
import { planVariables } from '../../shared/billing/planFromEnv.ts';
import type { PlanId } from '../../shared/contracts/auth.ts';
import { uuidSchema } from '../../shared/contracts/base/common.ts';
import { Secret } from '../../shared/domain/byok/secret.ts';
import { StartupError } from './startupError.ts';

const REPOSITORY_DIR = path.resolve(import.meta.dirname, '../..');

const PORT_RULE = 'must be a whole number from 0 to 65535 (0 takes any free port)';
const ENDPOINT_RULE = 'must be an http or https URL such as http://127.0.0.1:8000';
const SQS_ENDPOINT_RULE = 'must be an http or https URL such as http://127.0.0.1:9324';
const QUEUE_URL_RULE = 'must be the http or https URL of a queue';
const KMS_ENDPOINT_RULE = 'must be an http or https URL such as http://127.0.0.1:8080';
const SECONDS_RULE = 'must be a whole number of seconds from 1 to 3600';
const TOKEN_RULE = 'must have at least 32 visible ASCII characters, as `openssl rand -hex 32` writes them';
const STRIPE_ENDPOINT_RULE = 'must be an http or https URL such as https://api.stripe.com';

export const environmentSchema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, PORT_RULE)
    .transform(Number)
    .pipe(z.number().max(65_535, PORT_RULE))
    .default(3000),
  HOST: z.string().regex(/^\S+$/, 'must be a host name or an address').default('127.0.0.1'),
  EVALGATE_DATA_DIR: z
    .string()
    .default(path.join(REPOSITORY_DIR, '.evalgate'))
    .transform((folder) => path.resolve(folder)),
  /** On AWS a function has 29 s. A machine that is busy or slow takes longer for the same work. */
  FUNCTION_TIMEOUT_SECONDS: z
    .string()
    .regex(/^\d{1,4}$/, SECONDS_RULE)
    .transform(Number)
    .pipe(z.number().min(1, SECONDS_RULE).max(3_600, SECONDS_RULE))
    .default(30),
  /** A DynamoDB engine that runs already; without it the service starts its own. */
  DYNAMODB_ENDPOINT: z.url({ protocol: /^https?$/, error: ENDPOINT_RULE }).optional(),
  /** The binary of the embedded engine, where the installed one is not to be used. */
  DYNOXIDE_PATH: z.string().optional(),
  /** Encrypts BYOK keys by KMS instead of the data folder's own master key. */
  KMS_ENDPOINT: z.url({ protocol: /^https?$/, error: KMS_ENDPOINT_RULE }).optional(),
  KMS_KEY_ID: z.string().optional(),
  /** An SQS engine that runs already, and the queue there if it is not to be created. */
  SQS_ENDPOINT: z.url({ protocol: /^https?$/, error: SQS_ENDPOINT_RULE }).optional(),
  QUEUE_URL: z.url({ protocol: /^https?$/, error: QUEUE_URL_RULE }).optional(),
  /** Whether the first start makes a project to look at. */
  EVALGATE_DEMO: z.enum(['on', 'off'], 'must be "on" or "off"').default('on'),
  /** `off` takes no payments, nor does a service whose operator names a plan, unless they are `on` or at Stripe. */
  EVALGATE_PAYMENTS: z.enum(['on', 'off'], 'must be "on" or "off"').optional(),
  EVALGATE_PLAN: planVariables.EVALGATE_PLAN.def.innerType.optional(),
  /** What reads the metrics sends it; without it only programs of this machine may. */
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{32,}$/, TOKEN_RULE)
    .transform((text) => new Secret(text))
    .optional(),
  /** Whose sign-in the page offers without a link that names one. */
  SIGN_IN_ORGANISATION: uuidSchema.optional(),
  /** Set, it names an account at the real payment provider, or at what STRIPE_API_BASE names. */
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_API_BASE: z.url({ protocol: /^https?$/, error: STRIPE_ENDPOINT_RULE }).optional(),
  TABLE_NAME: z
    .string()
    .regex(/^[\w.-]{3,255}$/, 'must be 3 to 255 letters, digits, "_", "-" and "."')
    .default('evalgate'),
});

export interface LocalConfig {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** How long an endpoint's function may take before its request ends as failed. */
  readonly functionTimeoutMs: number;
  readonly makesDemo: boolean;
  readonly dynamodbEndpoint: string | undefined;
  readonly engineBinary: string | undefined;
  readonly tableName: string;
  readonly sqs: { readonly endpoint: string; readonly queueUrl: string | undefined } | undefined;
  readonly payments: PaymentsConfig;
  /** Of organisations that are made here. */
  readonly plan: PlanId;
  readonly metricsToken: Secret | undefined;
  readonly signInOrganisation: string | undefined;
  readonly kms: { readonly endpoint: string; readonly keyId: string } | undefined;
}

type PaymentsConfig =
  | { readonly kind: 'off' }
  | { readonly kind: 'simulated' }
  | { readonly kind: 'stripe'; readonly apiBase: string };

/** An empty variable counts as one that is not set. */
export function readConfig(environment: NodeJS.ProcessEnv): LocalConfig {
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = environmentSchema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const complaints = parsed.error.issues.map(({ path: [name], message }) => {
      if (name === 'METRICS_TOKEN') return `${name} ${message}`;
      return `${String(name)} ${message}, not ${JSON.stringify(environment[String(name)])}`;
    });
    throw new StartupError(`${[...new Set(complaints)].join('; ')}.`);
  }
  const values = parsed.data;
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: values.EVALGATE_DATA_DIR,
    functionTimeoutMs: values.FUNCTION_TIMEOUT_SECONDS * 1_000,
    makesDemo: values.EVALGATE_DEMO === 'on',
    dynamodbEndpoint: values.DYNAMODB_ENDPOINT,
    engineBinary: values.DYNOXIDE_PATH,
    tableName: values.TABLE_NAME,
    sqs: sqsOf(values),
    kms: kmsOf(values),
    payments: paymentsOf(values),
    plan: values.EVALGATE_PLAN ?? 'free',
    metricsToken: values.METRICS_TOKEN,
    signInOrganisation: values.SIGN_IN_ORGANISATION,
  };
}

function paymentsOf(values: z.output<typeof environmentSchema>): PaymentsConfig {
  const { EVALGATE_PAYMENTS: payments, EVALGATE_PLAN: plan } = values;
  if (payments === 'off') return { kind: 'off' };
  if (values.STRIPE_SECRET_KEY === undefined)
    return { kind: plan === undefined || payments === 'on' ? 'simulated' : 'off' };
  return { kind: 'stripe', apiBase: values.STRIPE_API_BASE ?? 'https://api.stripe.com' };
}

function sqsOf({ SQS_ENDPOINT: endpoint, QUEUE_URL: queueUrl }: z.output<typeof environmentSchema>) {
  if (endpoint !== undefined) return { endpoint, queueUrl };
  if (queueUrl === undefined) return undefined;
  throw new StartupError('QUEUE_URL needs SQS_ENDPOINT, the address of the engine that has this queue.');
}

function kmsOf({ KMS_ENDPOINT: endpoint, KMS_KEY_ID: keyId }: z.output<typeof environmentSchema>) {
  if (endpoint === undefined && keyId === undefined) return undefined;
  if (endpoint !== undefined && keyId !== undefined) return { endpoint, keyId };
  throw new StartupError('KMS_ENDPOINT and KMS_KEY_ID must be set together, or neither of them.');
}
