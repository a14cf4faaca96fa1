import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  ENVIRONMENT_NAMES,
  type Environment,
  environments,
  type PaymentSettings,
} from '../../../infra/aws/environments.ts';
import { madeOnce } from '../../support/madeOnce.ts';

export interface Resource {
  readonly stack: string;
  readonly logicalId: string;
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's own shapes
  readonly Properties: Record<string, any>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface StackOfApp {
  readonly region: string;
  readonly template: string;
  /** Names of the stacks that are deployed before. */
  readonly dependencies: readonly string[];
  readonly isProtected: boolean;
}

export interface Acknowledgement {
  readonly rule: string;
  readonly reason: string;
}

/** JSON. */
export interface Templates {
  /** By name. */
  readonly stacks: readonly (readonly [string, StackOfApp])[];
  readonly resources: readonly Resource[];
  /** Of AWS's checks, those without an explanation; null where they did not run. */
  readonly findings: readonly string[] | null;
  readonly acknowledgements: readonly Acknowledgement[];
}

export interface Synthesized extends Omit<Templates, 'stacks'> {
  readonly environment: Environment;
  readonly stacks: ReadonlyMap<string, StackOfApp>;
  readonly ofType: (type: string) => readonly Resource[];
  /** Without those of the CDK, which run while it deploys. */
  readonly functions: readonly Resource[];
}

/** `CustomCDKBucketDeployment…` */
export const isOfTheCdk = ({ logicalId }: Resource): boolean => logicalId.startsWith('Custom');

/** Example payment settings. */
const PAYMENTS: PaymentSettings = {
  pricePro: 'price_1',
  priceScale: 'price_2',
  priceProOverage: 'price_3',
  priceScaleOverage: 'price_4',
  meterEventName: 'runs',
};

const PRICE = 'price_1QabcdefghijklmnopqrstuvW';
const MANY_PRICES = { pricePro: Array(10).fill(PRICE).join(), priceScale: Array(10).fill(PRICE).join() };
const HOSTS = Array.from({ length: 10 }, (_, nth) => `judges-${nth}.internal.example.net:443`);
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/1';

/** Dev with settings that no environment has yet. */
const VARIANTS = {
  paid: { payments: PAYMENTS },
  paidWithNewSecrets: { payments: PAYMENTS, secretsRevision: 2 },
  /** All other settings at once: none depends on another one. */
  changed: {
    signUp: 'closed',
    signingKey: 'second',
    statementKey: 'second',
    originSecret: 'second',
    domain: { name: 'gate.example', certificateArn },
    alarmEmail: 'oncall@gate.example',
    region: 'eu-central-1',
    payments: { ...PAYMENTS, ...MANY_PRICES },
    judge: {
      JUDGE_ENDPOINT_ALLOWLIST: HOSTS.join(),
      JUDGE_MODEL_AZURE_OPENAI: `https://${HOSTS[0]}|a-deployment-with-a-long-name`,
    },
  },
} as const satisfies Record<string, Partial<Environment>>;

type Name = keyof typeof environments | keyof typeof VARIANTS;

/** AWS's checks take longer than the templates. */
export const CHECKED: ReadonlySet<Name> = new Set<Name>([...ENVIRONMENT_NAMES, 'changed']);

export const all = new Map<Name, Environment>([
  ...ENVIRONMENT_NAMES.map((name) => [name, environments[name]] as const),
  ...Object.entries(VARIANTS).map(
    ([name, fields]) => [name as Name, { ...environments.dev, ...fields }] as const,
  ),
]);

/** Made once in a test run. */
const fileOf = (name: string) =>
  JSON.parse(
    readFileSync(path.join(madeOnce('templates', '../infra/aws/writeTemplates.ts'), `${name}.json`), 'utf8'),
  );

const known = new Map<Name, Synthesized>();

export function synthesized(name: Name): Synthesized {
  const found = known.get(name) ?? described(all.get(name) as Environment, fileOf(name));
  known.set(name, found);
  return found;
}

function described(environment: Environment, { stacks, ...templates }: Templates): Synthesized {
  const ofType = (type: string) => templates.resources.filter((resource) => resource.Type === type);
  const functions = ofType('AWS::Lambda::Function').filter((resource) => !isOfTheCdk(resource));
  return { environment, stacks: new Map(stacks), ofType, functions, ...templates };
}

/** Beside the templates. */
export interface Probes {
  readonly findingsOfBareQueue: readonly string[];
  readonly exportsAlone: readonly string[];
}
export const probes = (): Probes => fileOf('probes');

export { ENVIRONMENT_NAMES };
