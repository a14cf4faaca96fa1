import type { SharedService } from './globalSetup.ts';

// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function globalTeardown(): Promise<void> {
  const shared = (globalThis as SharedService).__sharedService;
  await shared?.service.stop();
  await shared?.providers.stop();
}
