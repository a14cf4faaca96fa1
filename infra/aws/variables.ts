import type { Rights } from '../../shared/contracts/base/rights.ts';
import type { Environment, Half } from './environments.ts';
import { metricsNamespace } from './functions.ts';
import type { DataStack } from './stacks/data.ts';

type Variables = Record<string, string>;

/** A function's variables, as `shared/runtime/config.ts` reads them: only those that its rights require. */
export function variablesOf(rights: Rights, environment: Environment, data: DataStack): Variables {
  return {
    TABLE_NAME: data.table.tableName,
    LOG_LEVEL: environment.logLevel,
    METRICS_NAMESPACE: metricsNamespace(environment.name),
    ...(rights.queue && { QUEUE_URL: data.runs.queueUrl }),
    ...(rights.vault && { KMS_KEY_ID: data.vaultKey.keyArn }),
    ...(rights.tokens && tokenVariables(environment, data)),
    ...(rights.statements && statementVariables(environment, data)),
    ...(rights.statements === 'sign' && githubVariable(environment)),
    ...(rights.jobs && issuerVariables(environment)),
    ...(rights.plan && { EVALGATE_PLAN: environment.plan }),
    ...(rights.payments && paymentVariables(environment, data)),
    ...(rights.judge && environment.judge),
  };
}

/** The variables of endpoint functions only: origin secrets, sign-up and the public address. */
export function endpointVariables(
  rights: Rights,
  environment: Environment,
  { data, baseUrl }: { readonly data: DataStack; readonly baseUrl: string },
): Variables {
  const [current, other] = inOrder(environment.originSecret, data.originSecrets);
  return {
    // CloudFormation resolves them at deployment: the template has only the names of the secrets.
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

function statementVariables(environment: Environment, { statementKeys }: DataStack): Variables {
  const keys = inOrder(environment.statementKey, statementKeys);
  return { STATEMENT_KMS_KEY_IDS: keys.map(({ keyArn }) => keyArn).join(',') };
}

/** For functions that read what issuers publish. */
const issuerVariables = (environment: Environment): Variables => ({
  ...githubVariable(environment),
  ...(environment.issuerAllowlist.length > 0 && { ISSUER_ALLOWLIST: environment.issuerAllowlist.join(',') }),
});

const githubVariable = ({ githubOidcIssuer }: Environment): Variables =>
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

/** Orders a rotating pair: the one in use comes first. */
export const inOrder = <T>(inUse: Half, [first, second]: readonly [T, T]): readonly [T, T] =>
  inUse === 'first' ? [first, second] : [second, first];
