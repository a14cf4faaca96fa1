import { createRequire } from 'node:module';
import type { Shared } from './globalSetup.ts';

const { processorTime, record } = createRequire(import.meta.url)('./jest/record.cjs');

// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function globalTeardown(): Promise<void> {
  const began = processorTime();
  await (globalThis as Shared).__sharedService?.stop();
  // The service has ended: its time counts now.
  record('the shared service', began);
}
