import type { environmentSchema } from '../../infra/local/config.ts';
import type { judgeVariablesSchema } from '../../shared/judge/settings.ts';
import type { configSchema } from '../../shared/runtime/config.ts';
import type { issuersVariables } from '../../shared/runtime/issuersConfig.ts';
import type { paymentsVariables } from '../../shared/runtime/paymentsConfig.ts';
import type { statementsVariables } from '../../shared/runtime/statementsConfig.ts';

/** `BASE_URL` has a schema of its own; what the service sets itself is nothing to configure. */
type Name =
  | Exclude<keyof typeof configSchema.def.in.shape, 'VAULT_KEY_FILE'>
  | keyof typeof paymentsVariables
  | keyof typeof issuersVariables
  | keyof typeof statementsVariables
  | keyof typeof judgeVariablesSchema.def.in.shape
  | keyof typeof environmentSchema.shape
  | 'BASE_URL';

interface VariableText {
  readonly group: string;
  readonly meaning: string;
  /** Where the schema's own default is not all there is to say. */
  readonly default: string | undefined;
}

const inGroup =
  (group: string) =>
  (meaning: string, otherDefault?: string): VariableText => ({ group, meaning, default: otherDefault });

const service = inGroup('The service');
const rateLimits = inGroup('Rate limits');
const table = inGroup('Table');
const queue = inGroup('Queue');
const keys = inGroup('Keys and tokens');
const judges = inGroup('Judges');
const payments = inGroup('Payments');

/** Every variable, in the order of `docs/configuration.md`: the compiler holds the names complete. */
export const VARIABLES: Readonly<Record<Name, VariableText>> = {
  PORT: service('the port that the service listens on; `0` takes a free one'),
  HOST: service('the address that it listens on'),
  BASE_URL: service(
    'where clients reach the service: scheme, host and port only; checkouts return there',
    'where it listens; on AWS the name of CloudFront, or yours',
  ),
  EVALGATE_DATA_DIR: service(
    'the folder of the data: with `api-key`, the master key `vault-key`, `token-key.pem`, `statement-key.pem` and the simulated `payments.json` (all with mode 0600)',
    '`.evalgate`',
  ),
  FUNCTION_TIMEOUT_SECONDS: service(
    'after which a request is answered with 500; at most 3600',
    '`30`; on AWS 29',
  ),
  EVALGATE_DEMO: service('`off`: the first start makes no project to look at'),
  EVALGATE_PLAN: service(
    'the plan of organisations that are made here: `free`, `pro`, `scale` or `enterprise`; on AWS `plan`',
    '`free`',
  ),
  SIGN_IN_ORGANISATION: service(
    'the id of the organisation whose sign-in the page offers without a link that names one; on AWS `signInOrganisation`',
  ),
  SIGN_UP: service('`closed` answers 404 to `POST /v1/auth/signup`'),
  ORIGIN_SECRETS: service(
    'comma-separated, each at least 32 characters: requests without one in `x-evalgate-origin` get 404',
  ),
  METRICS_TOKEN: service(
    'at least 32 characters: the credential of `GET /metrics`; without it only programs of this machine may read that',
  ),
  LOG_LEVEL: service('`debug`, `info`, `warn` or `error`; log lines are JSON on standard error'),
  METRICS_NAMESPACE: service(
    'the CloudWatch namespace of the metrics that log lines carry',
    '`evalgate`; on AWS `evalgate/<env>`',
  ),
  RATE_LIMITS: rateLimits('`off` counts nothing: for a service that sees all clients under one address'),
  RATE_LIMIT_WAIT_MS: rateLimits(
    'a request that could not be counted by then passes, and raises an alarm; at most 10,000',
    '`3000`; on AWS `500`',
  ),
  TABLE_NAME: table('the table, created where it does not exist'),
  DYNAMODB_ENDPOINT: table('another DynamoDB engine instead of the embedded one'),
  DYNOXIDE_PATH: table('another binary of the embedded engine', 'the installed one, else by `npx`'),
  SQS_ENDPOINT: queue('another SQS engine instead of the embedded one'),
  QUEUE_URL: queue('a queue of that engine, where the service is not to create one'),
  KMS_ENDPOINT: keys('the address of KMS, together with `KMS_KEY_ID`'),
  KMS_KEY_ID: keys("encrypts BYOK keys, instead of the data folder's own master key"),
  TOKEN_KEY_FILES: keys(
    'RSA keys in PEM form, comma-separated: the first signs tokens, all verify',
    '`token-key.pem` in the data folder',
  ),
  TOKEN_KMS_KEY_IDS: keys('RSA keys of KMS in their place, comma-separated likewise'),
  STATEMENT_KEY_FILES: keys(
    'EC keys of the curve P-256 in PEM form, comma-separated: the first signs [statements](statement.md), all are published',
    '`statement-key.pem` in the data folder',
  ),
  STATEMENT_KMS_KEY_IDS: keys('such keys of KMS in their place, comma-separated likewise'),
  TOKEN_ISSUER: keys(
    'the issuer that tokens name; those of another are refused',
    '`urn:evalgate:local`; on AWS `urn:evalgate:<env>`',
  ),
  GITHUB_OIDC_ISSUER: keys(
    'the issuer of the OIDC tokens of GitHub Actions jobs: a GitHub Enterprise Server has its own; plain http only for loopback; on AWS `githubOidcIssuer`',
  ),
  ISSUER_ALLOWLIST: keys(
    'trusted issuers at private addresses or other ports than 443, as `host:port`, comma-separated; plain http only for loopback; on AWS `issuerAllowlist`',
  ),
  OPENAI_BASE_URL: judges('where judges call OpenAI'),
  ANTHROPIC_BASE_URL: judges('where judges call Anthropic'),
  GOOGLE_GEMINI_BASE_URL: judges('where judges call Gemini; a bare origin means its OpenAI-compatible path'),
  JUDGE_MODEL_OPENAI: judges('the model of a judge that names none'),
  JUDGE_MODEL_ANTHROPIC: judges('likewise'),
  JUDGE_MODEL_GOOGLE: judges('likewise'),
  JUDGE_MODEL_AZURE_OPENAI: judges('likewise, as `<endpoint_url>|<deployment_name>`'),
  AZURE_OPENAI_API_VERSION: judges("the version of Azure's API; older ones do not serve reasoning models"),
  JUDGE_ENDPOINT_ALLOWLIST: judges(
    "Azure endpoints outside Microsoft's hosts, as `host:port`, comma-separated; plain http only for loopback",
  ),
  JUDGE_CALL_TIMEOUT_MS: judges('how long one call to a provider may take; at most 60,000'),
  EVALGATE_PAYMENTS: payments(
    '`off`: a deployment that takes no payments, where the operator sets plans',
    '`on`; `off` with `EVALGATE_PLAN` and without Stripe',
  ),
  STRIPE_SECRET_KEY: payments(
    'the key of an account at Stripe: all others of Stripe but the last are then required; without it payments are simulated, on AWS off',
  ),
  STRIPE_WEBHOOK_SECRETS: payments('comma-separated, for rotation'),
  STRIPE_PRICE_PRO: payments('price ids, comma-separated: the first is sold, the others are known'),
  STRIPE_PRICE_SCALE: payments('likewise'),
  STRIPE_PRICE_PRO_OVERAGE: payments('the metered price'),
  STRIPE_PRICE_SCALE_OVERAGE: payments('likewise'),
  STRIPE_METER_EVENT_NAME: payments("the meter's event name"),
  STRIPE_API_BASE: payments(
    "another address than Stripe's: https, or http on loopback; no path",
    '`https://api.stripe.com`',
  ),
};
