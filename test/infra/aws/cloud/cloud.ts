import { randomUUID } from 'node:crypto';
import { type Environment, environments } from '../../../../infra/aws/environments.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { type LyingProvider, startLyingProvider } from '../../../functions/signIn/lyingProvider.ts';
import { type OidcIssuer, startOidcIssuer } from '../../../support/oidc.ts';
import { type PaymentProvider, startPaymentProvider } from '../../../support/paymentProvider.ts';
import { type Providers, startProviders } from '../../../support/providers.ts';
import { assemble } from './assembly.ts';
import { type AwsFront, startAwsFront } from './awsFront.ts';
import type { Deployed } from './deployed.ts';
import { makeEngines } from './engines.ts';
import { createFleet, type FleetSettings } from './fleet.ts';
import { startGateway } from './gateway.ts';
import { deployedFrom } from './template.ts';
import { recordUsedRights } from './unusedRights.ts';

/** A line of a function. A line that is not JSON is an error of the runtime. */
interface LogLine {
  readonly functionId: string;
  readonly level: string;
  readonly code: string;
  readonly [field: string]: unknown;
}

/** Simulated services outside AWS. */
interface ExternalServices {
  readonly providers: Providers;
  readonly stripe: PaymentProvider;
  /** Of the jobs of GitHub. */
  readonly issuer: OidcIssuer;
  /** On the allow-list. */
  readonly otherIssuer: OidcIssuer;
  /** Of sign-ins, on the allow-list, too. */
  readonly signInProvider: LyingProvider;
}

export interface Cloud extends ExternalServices {
  readonly baseUrl: string;
  /** The API behind the edge. */
  readonly originUrl: string;
  readonly deployed: Deployed;
  readonly records: AwsFront['records'];
  /** For tests to look into. */
  readonly table: Table;
  readonly lines: LogLine[];
  /** The lines of level `error`. */
  errors(): LogLine[];
  invoke(functionId: string, event: unknown): Promise<unknown>;
  /** Invokes a function like its schedule; EventBridge's own `detail` is empty. */
  tick(functionId: string, detail?: object): Promise<unknown>;
  /** Deploys the changes, or without any what was deployed at first. */
  deploy(changes?: FleetSettings & { readonly deployed?: Deployed }): Promise<void>;
  stop(): Promise<void>;
}

/** The longest wait: a machine busy with tests must not count as a failing table. */
const RATE_LIMIT_WAIT_MS = '10000';

/**
 * Production's bundles with their variables and roles, on embedded engines and simulated external services. All calls
 * between them go over HTTP.
 */
export async function startCloud(): Promise<Cloud> {
  const stops: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
  };
  try {
    return { ...(await start(stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(stops: (() => unknown)[]): Promise<Omit<Cloud, 'stop'>> {
  const started = <T extends { stop(): unknown }>(part: T): T => {
    stops.push(() => part.stop());
    return part;
  };
  const external: ExternalServices = {
    providers: started(await startProviders()),
    stripe: started(await startPaymentProvider()),
    issuer: started(await startOidcIssuer()),
    otherIssuer: started(await startOidcIssuer('ec')),
    signInProvider: started(await startLyingProvider(Date.now)),
  };
  const assembly = await assemble(environmentOf(external));
  stops.push(() => assembly.remove());
  const front = started(await startAwsFront());
  stops.push(() => recordUsedRights(front.records.used));

  const { STRIPE_SECRET_KEY = '', STRIPE_WEBHOOK_SECRETS = '', STRIPE_API_BASE = '' } = external.stripe.env;
  const secrets = { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRETS };
  const deployed = deployedFrom(assembly, { secrets, queueBaseUrl: front.url });
  const engines = started(await makeEngines(deployed));
  const standIns = { AWS_ENDPOINT_URL: front.url, STRIPE_API_BASE, RATE_LIMIT_WAIT_MS };
  const lines: LogLine[] = [];
  const onLine = (id: string, line: string) => void lines.push(readLine(id, line));
  const fleet = started(createFleet({ front, engines, standIns, onLine }));
  await fleet.start(deployed);
  const { baseUrl, originUrl } = started(await startGateway(deployed, fleet.invoke));
  return {
    ...external,
    baseUrl,
    originUrl,
    deployed,
    lines,
    records: front.records,
    table: engines.table,
    errors: () => lines.filter(({ level }) => level === 'error'),
    invoke: fleet.invoke,
    tick: (id, detail = {}) => fleet.invoke(id, scheduledEvent(deployed, id, detail)),
    async deploy({ deployed: next = deployed, ...settings } = {}) {
      await fleet.start(next, settings);
    },
  };
}

/** Production with the simulated external services. */
const environmentOf = ({
  providers,
  stripe: { env },
  issuer,
  otherIssuer,
  signInProvider,
}: ExternalServices): Environment => ({
  ...environments.prod,
  payments: {
    pricePro: env.STRIPE_PRICE_PRO ?? '',
    priceScale: env.STRIPE_PRICE_SCALE ?? '',
    priceProOverage: env.STRIPE_PRICE_PRO_OVERAGE ?? '',
    priceScaleOverage: env.STRIPE_PRICE_SCALE_OVERAGE ?? '',
    meterEventName: env.STRIPE_METER_EVENT_NAME ?? '',
  },
  judge: providers.env,
  githubOidcIssuer: issuer.url,
  issuerAllowlist: [otherIssuer.place, new URL(signInProvider.url).host],
});

function readLine(functionId: string, line: string): LogLine {
  try {
    return { functionId, ...JSON.parse(line) };
  } catch {
    return { functionId, level: 'error', code: 'no_json', line };
  }
}

const scheduledEvent = ({ account, region }: Deployed, functionId: string, detail: object) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account,
  time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  region,
  resources: [`arn:aws:events:${region}:${account}:rule/${functionId.replaceAll('/', '-')}`],
  detail,
});
