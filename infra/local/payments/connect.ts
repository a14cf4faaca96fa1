import type { LocalConfig } from '../config.ts';
import type { DataFolder } from '../data/dataFolder.ts';
import { providePaymentEnvironment } from '../environment.ts';
import type { Pages } from '../http/httpServer.ts';
import { startSimulatedPayments } from './simulation.ts';

export interface LocalPayments {
  /** For the person at the terminal. */
  readonly description: string;
  readonly pages: Pages | undefined;
  /** The service is at this address now; answers how to stop what the provider does to it. */
  open(serviceUrl: string): () => Promise<void>;
  stop(): Promise<void>;
}

const NOTHING: Omit<LocalPayments, 'description'> = {
  pages: undefined,
  open: () => async () => {},
  stop: async () => {},
};

/** The provider that the environment names already, or one of our own, which is named there now, or none. */
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
