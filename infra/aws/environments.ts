/** Everything that tells one deployment from another. Nothing here is secret: secrets live in Secrets Manager. */
export interface Environment {
  readonly name: EnvironmentName;
  readonly region: string;
  /** What is kept when a stack is deleted: everything that can't be made again, or nothing. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  readonly logLevel: 'debug' | 'info';
  /** X-Ray: what a request waits for. Costs $5 a million traces. */
  readonly isTraced: boolean;
  readonly signUp: 'open' | 'closed';
  /** Requests a second of the whole API, far above what one address may send (100 a minute). */
  readonly apiRequestsPerSecond: number;
  readonly apiRequestsBurst: number;
  /** The firewall's own limit of one address, above the service's exact one: 500 in 5 minutes. */
  readonly firewallRequestsPer5Minutes: number;
  /** How many messages are evaluated at once; each takes one of the account's concurrent executions. */
  readonly evaluatorsMax: number;
  /** Read and write units of the table in an hour from which on somebody should look. */
  readonly alarmingUnitsPerHour: number;
  /** Who is told of alarms; nobody is when it is left out, and the alarms are in the console only. */
  readonly alarmEmail: string | undefined;
  /** A name of your own and the ARN of its certificate in us-east-1; without it CloudFront gives a name. */
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  /** Stripe's ids; without them the deployment takes no payments. The secrets go into the stack's own secret. */
  readonly payments: PaymentSettings | undefined;
  /** Who vouches for GitHub Actions jobs; GitHub itself unless it is the OIDC issuer of an Enterprise Server. */
  readonly githubOidcIssuer: string | undefined;
  /** Which of the two live keys signs tokens, and which of the two live secrets the edge proves itself by. */
  readonly signingKey: Half;
  readonly originSecret: Half;
  /** Raise it when a secret has changed: CloudFormation reads secrets only with what is deployed anew. */
  readonly secretsRevision: number;
  /** `judge` variables of the README that differ from their defaults. */
  readonly judge: Readonly<Record<string, string>>;
}

export type Half = 'first' | 'second';
export const ENVIRONMENT_NAMES = ['dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number];

/** Price ids are comma-separated: the first is sold, the others are known. */
export interface PaymentSettings {
  readonly pricePro: string;
  readonly priceScale: string;
  readonly priceProOverage: string;
  readonly priceScaleOverage: string;
  readonly meterEventName: string;
}

export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  dev: {
    name: 'dev',
    region: 'us-east-1',
    keepsData: false,
    logRetentionDays: 7,
    logLevel: 'debug',
    isTraced: true,
    signUp: 'open',
    apiRequestsPerSecond: 50,
    apiRequestsBurst: 100,
    firewallRequestsPer5Minutes: 1_000,
    // A young account has ten concurrent executions in all.
    evaluatorsMax: 4,
    alarmingUnitsPerHour: 200_000,
    alarmEmail: undefined,
    domain: undefined,
    payments: undefined,
    githubOidcIssuer: undefined,
    signingKey: 'first',
    originSecret: 'first',
    secretsRevision: 1,
    judge: {},
  },
  staging: {
    name: 'staging',
    region: 'us-east-1',
    keepsData: true,
    logRetentionDays: 30,
    logLevel: 'info',
    isTraced: true,
    signUp: 'open',
    apiRequestsPerSecond: 200,
    apiRequestsBurst: 400,
    firewallRequestsPer5Minutes: 1_000,
    evaluatorsMax: 20,
    alarmingUnitsPerHour: 1_000_000,
    alarmEmail: undefined,
    domain: undefined,
    payments: undefined,
    githubOidcIssuer: undefined,
    signingKey: 'first',
    originSecret: 'first',
    secretsRevision: 1,
    judge: {},
  },
  prod: {
    name: 'prod',
    region: 'us-east-1',
    keepsData: true,
    logRetentionDays: 365,
    logLevel: 'info',
    isTraced: false,
    signUp: 'open',
    apiRequestsPerSecond: 2_000,
    apiRequestsBurst: 4_000,
    firewallRequestsPer5Minutes: 1_000,
    evaluatorsMax: 200,
    alarmingUnitsPerHour: 10_000_000,
    alarmEmail: undefined,
    domain: undefined,
    payments: undefined,
    githubOidcIssuer: undefined,
    signingKey: 'first',
    originSecret: 'first',
    secretsRevision: 1,
    judge: {},
  },
};

export function environmentOf(name: unknown): Environment {
  const known = ENVIRONMENT_NAMES.find((candidate) => candidate === name);
  if (known !== undefined) return environments[known];
  throw new Error(`Say which environment: -c env=<${ENVIRONMENT_NAMES.join('|')}>, not ${String(name)}.`);
}
