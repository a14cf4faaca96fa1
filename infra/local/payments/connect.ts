import type { LocalConfig } from '../config.ts';
import type { DataFolder } from '../data/dataFolder.ts';
import { providePaymentEnvironment } from '../environment.ts';
import type { Pages } from '../http/httpServer.ts';
import { startSimulatedPayments } from './simulation.ts';

export interface LocalPayments {
  readonly description: string;
  readonly pages: Pages | undefined;
  /** Sends customers and events to the service at this address until the function it returns is called. */
  open(serviceUrl: string): () => Promise<void>;
  stop(): Promise<void>;
}

const NOTHING: Omit<LocalPayments, 'description'> = {
  pages: undefined,
  open: () => async () => {},
  stop: async () => {},
};

/** Uses the configured provider, or starts a simulated one and sets the functions' variables, or uses none. */
export async function connectPayments(
  { payments }: Pick<LocalConfig, 'payments'>,
  { paymentsFile }: Pick<DataFolder, 'paymentsFile'>,
): Promise<LocalPayments> {
  if (payments.kind === 'stripe') return { ...NOTHING, description: `at ${payments.apiBase}` };
  if (payments.kind === 'off') return { ...NOTHING, description: 'off' };
  const simulated = await startSimulatedPayments(paymentsFile);
  providePaymentEnvironment(simulated.environment);
  return {
    ...simulated,
    description: `simulated at ${simulated.apiBase}, its keys in ${paymentsFile}`,
  };
}
