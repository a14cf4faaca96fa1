import type { Environment, Half } from './environments.ts';
import { metricsNamespace } from './functions.ts';
import type { Rights } from './rights/rights.ts';
import type { DataStack } from './stacks/data.ts';

type Variables = Record<string, string>;

/** The environment of a function: only what its rights call for, as `shared/runtime/config.ts` reads it. */
export function variablesOf(rights: Rights, environment: Environment, data: DataStack): Variables {
  return {
    TABLE_NAME: data.table.tableName,
    LOG_LEVEL: environment.logLevel,
    METRICS_NAMESPACE: metricsNamespace(environment.name),
    ...(rights.queue && { QUEUE_URL: data.runs.queueUrl }),
    ...(rights.vault && { KMS_KEY_ID: data.vaultKey.keyArn }),
    ...(rights.tokens && tokenVariables(environment, data)),
    ...(rights.tokens === 'sign' && issuerVariables(environment)),
    ...(rights.payments && paymentVariables(environment, data)),
    ...(rights.judge && environment.judge),
  };
}

/** What only functions behind the API need: whom they believe, who may sign up, and where clients are. */
export function endpointVariables(
  rights: Rights,
  environment: Environment,
  { data, baseUrl }: { readonly data: DataStack; readonly baseUrl: string },
): Variables {
  const [current, other] = inOrder(environment.originSecret, data.originSecrets);
  return {
    // Resolved by CloudFormation when it deploys: the template holds the names of the secrets only.
    ORIGIN_SECRETS: `${current.secretValue.unsafeUnwrap()},${other.secretValue.unsafeUnwrap()}`,
    SECRETS_REVISION: String(environment.secretsRevision),
    SIGN_UP: environment.signUp,
    ...(rights.baseUrl && { BASE_URL: baseUrl }),
  };
}

function tokenVariables(environment: Environment, { tokenKeys }: DataStack): Variables {
  const keys = inOrder(environment.signingKey, tokenKeys);
  return {
    TOKEN_KMS_KEY_IDS: keys.map(({ keyArn }) => keyArn).join(','),
    TOKEN_ISSUER: `urn:evalgate:${environment.name}`,
  };
}

/** Only who gives tokens takes those of jobs. */
const issuerVariables = ({ githubOidcIssuer }: Environment): Variables =>
  githubOidcIssuer === undefined ? {} : { GITHUB_OIDC_ISSUER: githubOidcIssuer };

function paymentVariables(
  { payments, secretsRevision }: Environment,
  { stripeSecret }: DataStack,
): Variables {
  if (payments === undefined) return {};
  const secret = (name: string): string => stripeSecret.secretValueFromJson(name).unsafeUnwrap();
  return {
    STRIPE_SECRET_KEY: secret('STRIPE_SECRET_KEY'),
    STRIPE_WEBHOOK_SECRETS: secret('STRIPE_WEBHOOK_SECRETS'),
    STRIPE_PRICE_PRO: payments.pricePro,
    STRIPE_PRICE_SCALE: payments.priceScale,
    STRIPE_PRICE_PRO_OVERAGE: payments.priceProOverage,
    STRIPE_PRICE_SCALE_OVERAGE: payments.priceScaleOverage,
    STRIPE_METER_EVENT_NAME: payments.meterEventName,
    SECRETS_REVISION: String(secretsRevision),
  };
}

/** Two of everything that takes turns: the one in use comes first. */
export const inOrder = <T>(inUse: Half, [first, second]: readonly [T, T]): readonly [T, T] =>
  inUse === 'first' ? [first, second] : [second, first];
