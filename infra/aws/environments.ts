import type { PlanId } from '../../shared/contracts/auth.ts';

/** The settings of one deployment. None is secret: secrets are in Secrets Manager. */
export interface Environment {
  readonly name: EnvironmentName;
  readonly region: string;
  /** Whether table, queues, keys, secrets and logs outlive a deleted stack. */
  readonly keepsData: boolean;
  readonly logRetentionDays: 7 | 30 | 90 | 365;
  readonly logLevel: 'debug' | 'info';
  /** X-Ray traces, at $5 a million. */
  readonly isTraced: boolean;
  readonly signUp: 'open' | 'closed';
  /** Of organisations that are made: by sign-up, or by the operator without naming a plan. */
  readonly plan: PlanId;
  /** For the whole API, far above the limit of one address (100 a minute). */
  readonly apiRequestsPerSecond: number;
  readonly apiRequestsBurst: number;
  /** The firewall's limit of one address. The service's own, exact limit is lower: 500 in 5 minutes. */
  readonly firewallRequestsPer5Minutes: number;
  /** Messages evaluated at once; each takes one of the account's concurrent executions. */
  readonly evaluatorsMax: number;
  /**
   * What the table serves from the first moment. AWS charges for it once, and it never goes down. Without it a new table
   * serves 12,000 read and 4,000 write units a second, then twice its last peak within half an hour.
   */
  readonly warmThroughput:
    | { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number }
    | undefined;
  /**
   * Executions kept for `runs/create`, which also takes no more: callers that wait for judges leave the others to all
   * other endpoints. With it `evaluatorsMax` are kept for the evaluator. Without it none are: AWS wants 100 unreserved.
   */
  readonly runsMax: number | undefined;
  /** Read and write units of the table in an hour that raise the alarm "Table consumption". */
  readonly alarmingUnitsPerHour: number;
  /** Receives alarms. Without it they show in the CloudWatch console only. */
  readonly alarmEmail: string | undefined;
  /** A domain name and the ARN of its certificate in us-east-1. Without it CloudFront gives a name. */
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  /** Stripe's ids. Without them the deployment takes no payments. Stripe's keys go into the stack's secret. */
  readonly payments: PaymentSettings | undefined;
  /** The OIDC issuer of a GitHub Enterprise Server. Without it the issuer is GitHub's own. */
  readonly githubOidcIssuer: string | undefined;
  /** `host:port` of trusted issuers that are private or at another port than 443. */
  readonly issuerAllowlist: readonly string[];
  /** The id of the organisation whose sign-in the page offers without a link that names one. */
  readonly signInOrganisation: string | undefined;
  /** Which of the two token keys signs. Functions verify with both. */
  readonly signingKey: Half;
  /** Which of the two statement keys signs. Both are published. */
  readonly statementKey: Half;
  /** Which of the two origin secrets the edge sends. Functions accept both. */
  readonly originSecret: Half;
  /** Raise it after changing a secret: CloudFormation reads secrets only for resources that change. */
  readonly secretsRevision: number;
  /** The `judge` variables of docs/configuration.md that differ from their defaults. */
  readonly judge: Readonly<Record<string, string>>;
}

export type Half = 'first' | 'second';
export const ENVIRONMENT_NAMES = ['dev', 'staging', 'prod'] as const;
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number];

/** Comma-separated price ids: the first is sold, subscriptions may still have the others. */
export interface PaymentSettings {
  readonly pricePro: string;
  readonly priceScale: string;
  readonly priceProOverage: string;
  readonly priceScaleOverage: string;
  readonly meterEventName: string;
}

/** Each environment may override them. */
const DEFAULTS = {
  region: 'us-east-1',
  keepsData: true,
  logLevel: 'info',
  isTraced: true,
  signUp: 'open',
  plan: 'free',
  firewallRequestsPer5Minutes: 1_000,
  warmThroughput: undefined,
  alarmEmail: undefined,
  domain: undefined,
  payments: undefined,
  githubOidcIssuer: undefined,
  issuerAllowlist: [],
  signInOrganisation: undefined,
  signingKey: 'first',
  statementKey: 'first',
  originSecret: 'first',
  secretsRevision: 1,
  judge: {},
} as const satisfies Partial<Environment>;

export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  dev: {
    ...DEFAULTS,
    name: 'dev',
    keepsData: false,
    logRetentionDays: 7,
    logLevel: 'debug',
    apiRequestsPerSecond: 50,
    apiRequestsBurst: 100,
    // A new account has ten concurrent executions in all.
    evaluatorsMax: 4,
    runsMax: undefined,
    alarmingUnitsPerHour: 200_000,
  },
  staging: {
    ...DEFAULTS,
    name: 'staging',
    logRetentionDays: 30,
    apiRequestsPerSecond: 200,
    apiRequestsBurst: 400,
    evaluatorsMax: 20,
    runsMax: 50,
    alarmingUnitsPerHour: 1_000_000,
  },
  prod: {
    ...DEFAULTS,
    name: 'prod',
    logRetentionDays: 365,
    isTraced: false,
    apiRequestsPerSecond: 2_000,
    apiRequestsBurst: 4_000,
    evaluatorsMax: 200,
    warmThroughput: { readUnitsPerSecond: 36_000, writeUnitsPerSecond: 12_000 },
    runsMax: 400,
    alarmingUnitsPerHour: 10_000_000,
  },
};

export function environmentOf(name: unknown): Environment {
  const known = ENVIRONMENT_NAMES.find((candidate) => candidate === name);
  if (known !== undefined) return environments[known];
  throw new Error(`Say which environment: -c env=<${ENVIRONMENT_NAMES.join('|')}>, not ${String(name)}.`);
}
