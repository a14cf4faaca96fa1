import { type Providers, startProviders } from './providers.ts';
import { type RunningService, startService } from './service.ts';

export interface SharedService {
  __sharedService?: { readonly service: RunningService; readonly providers: Providers };
}

/**
 * One service for all endpoint tests, in front of stand-ins for the model providers; the workers find it through
 * the environment.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function globalSetup(): Promise<void> {
  const providers = await startProviders();
  const service = await startService({ env: providers.env });
  (globalThis as SharedService).__sharedService = { service, providers };
  process.env.EVALGATE_TEST_URL = service.baseUrl;
}
