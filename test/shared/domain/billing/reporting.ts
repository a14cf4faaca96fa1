import { stripePayments } from '../../../../shared/billing/stripePayments.ts';
import type { OverageStore, Payments } from '../../../../shared/domain/billing/ports.ts';
import { type ReportAllDeps, reportAllOverage } from '../../../../shared/domain/billing/reportOverage.ts';
import { readPayments } from '../../../../shared/runtime/paymentsConfig.ts';
import { billingStore } from '../../../../shared/storage/billing/billing.ts';
import { ALL_SUBSCRIBER_SHARDS, overageStore } from '../../../../shared/storage/billing/overageReports.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { positionStore } from '../../../../shared/storage/lists/positions.ts';
import { type Buyer, newBuyer } from '../../../functions/billing/buyer.ts';
import { type OwnService, startOwnService } from '../../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../../support/paymentProvider.ts';
import { addUsed } from '../../../support/usage.ts';

export const SHARDS = ALL_SUBSCRIBER_SHARDS;
export const HOUR_MS = 3_600_000;
export const START_MS = Date.parse('2026-03-10T12:00:00.000Z');

/** An organisation on Pro whose runs are counted without being made. */
interface Subscriber extends Buyer {
  run(by: number, month?: string): Promise<unknown>;
  move(plan: 'free' | 'pro' | 'scale'): Promise<unknown>;
  /** The runs that were reported to the provider. */
  reportedRuns(): number;
}

export interface Reporting {
  readonly stripe: PaymentProvider;
  readonly service: OwnService;
  /** For the reporter and the provider. */
  readonly clock: { ms: number };
  newSubscriber(): Promise<Subscriber>;
  /** What a reporter is made of that does all it should, for all organisations or one. */
  alive(only?: string): ReportAllDeps;
  /** A reporter dies at its nth step: before it, or after it was done. False when it came to its end before. */
  dyingAt(count: number, when: 'before' | 'after', only: string): Promise<boolean>;
  /** Clock and provider are as in the beginning. */
  reset(): void;
  stop(): Promise<void>;
}

/** The reporter with the real table and the real adapter, in front of a stand-in of the provider. */
export async function startReporting(): Promise<Reporting> {
  const stripe = await startPaymentProvider();
  const service = await startOwnService(stripe.env);
  const clock = { ms: START_MS };
  stripe.now = () => clock.ms;
  const steppedDeps = (step: Step, only?: string) => stepped({ stripe, service, clock }, step, only);
  return {
    stripe,
    service,
    clock,
    newSubscriber: () => newSubscriber({ stripe, service, clock }),
    alive: (only) => steppedDeps((act) => act(), only),
    async dyingAt(count, when, only) {
      let steps = 0;
      const deps = steppedDeps(async (act) => {
        if (++steps > count) return new Promise(() => {});
        if (steps < count) return act();
        if (when === 'after') await act();
        throw new Error('killed');
      }, only);
      // A dead process reports nothing; what it had begun stays as it is.
      return reportAllOverage({ ...deps, record: () => {} }, SHARDS).then(
        () => false,
        () => true,
      );
    },
    reset() {
      clock.ms = START_MS;
      stripe.hooks.fault = undefined;
    },
    async stop() {
      await service.stop();
      await stripe.stop();
    },
  };
}

type Parts = Pick<Reporting, 'stripe' | 'service' | 'clock'>;
type Step = (act: () => Promise<unknown>) => Promise<unknown>;

async function newSubscriber({ stripe, service, clock }: Parts): Promise<Subscriber> {
  const buyer = await newBuyer(service, stripe);
  const { orgId, customer } = buyer;
  const move: Subscriber['move'] = (plan) =>
    changePlan(service.table, { orgId, plan: () => plan, atMs: clock.ms, alongside: {} });
  await move('pro');
  return {
    ...buyer,
    move,
    run: (by, month = new Date(clock.ms).toISOString().slice(0, 7)) =>
      addUsed(service.table, orgId, month, by),
    reportedRuns: () => stripe.reported(customer),
  };
}

/** Everything that the reporter does outside its process goes through `step`. */
function stepped({ stripe, service, clock }: Parts, step: Step, only?: string): ReportAllDeps {
  const payments = readPayments(stripe.env);
  if (payments === undefined) throw new Error('The stand-in configures no payments');
  const through = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name: keyof T & string) => {
        const method = target[name];
        if (typeof method !== 'function' || name === 'subscribers') return method;
        return (...args: unknown[]) => step(() => method.apply(target, args));
      },
    });
  const store = overageStore(service.table);
  // One subscriber at a time has all steps of the reporter.
  const one: OverageStore['subscribers'] = async (shard) => ({
    items: only === undefined || shard !== 0 ? [] : [only],
    last: null,
  });
  const overage: OverageStore = only === undefined ? store : { ...store, subscribers: one };
  return {
    overage: through(overage),
    billing: through(billingStore(service.table)),
    payments: through<Payments>(stripePayments(payments, () => {})),
    // The table's own clock: positions expire by it.
    positions: positionStore(service.table, Date.now),
    record: (code, fields) => void service.log.push({ code, ...fields }),
    now: () => clock.ms,
  };
}
