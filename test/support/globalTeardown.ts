import type { Shared } from './globalSetup.ts';

// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function globalTeardown(): Promise<void> {
  await (globalThis as Shared).__sharedService?.stop();
}
