import { type RunningService, startService } from './service.ts';

export interface SharedService {
  __sharedService?: RunningService;
}

/** One service for all endpoint tests; the workers find it through the environment. */
// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function globalSetup(): Promise<void> {
  const service = await startService();
  (globalThis as SharedService).__sharedService = service;
  process.env.EVALGATE_TEST_URL = service.baseUrl;
}
