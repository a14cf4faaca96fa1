import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startOidcIssuer } from './oidc.ts';
import { NODE, REPOSITORY_DIR } from './processes.ts';
import { startProviders } from './providers.ts';
import { startService } from './service.ts';

const IN_MEMORY = path.join(import.meta.dirname, 'memory/inMemory.ts');

export interface SharedService {
  readonly baseUrl: string;
  /** For browsers. */
  readonly browserUrl: string;
  stop(): Promise<void>;
}

export interface Shared {
  __sharedService?: SharedService;
}

/**
 * One service for all endpoint tests, in front of stand-ins for the model providers; the workers find it through
 * the environment. It stores in its memory. EVALGATE_TEST_TARGET=deployed has it made of what
 * would be deployed, with the embedded engine.
 */
// biome-ignore lint/style/noDefaultExport: jest asks for it
export default async function globalSetup(): Promise<void> {
  if (process.env.EVALGATE_TEST_TARGET === 'none') return;
  const service = await (process.env.EVALGATE_TEST_TARGET === 'deployed' ? startDeployed() : startLocal());
  (globalThis as Shared).__sharedService = service;
  process.env.EVALGATE_TEST_URL = service.baseUrl;
  process.env.EVALGATE_TEST_BROWSER_URL = service.browserUrl;
}

async function startLocal(): Promise<SharedService> {
  const [providers, issuer] = await Promise.all([startProviders(), startOidcIssuer()]);
  process.env.EVALGATE_TEST_ISSUER = issuer.exported();
  // Ten times as cheap; what only the engine refuses, the tests of stores and of deployed functions find.
  const inMemory = { NODE_OPTIONS: `--import=${IN_MEMORY}` };
  const service = await startService({
    fromSources: true,
    env: { ...providers.env, GITHUB_OIDC_ISSUER: issuer.url, ...inMemory },
  });
  return {
    baseUrl: service.baseUrl,
    browserUrl: service.baseUrl,
    async stop() {
      await service.stop();
      await providers.stop();
      await issuer.stop();
    },
  };
}

/** In a process of its own; its end fails when a function was refused what it asked of AWS, or failed otherwise. */
async function startDeployed(): Promise<SharedService> {
  const cloud = fork(path.join(REPOSITORY_DIR, 'test/infra/aws/cloud/serve.ts'), {
    execPath: NODE,
    execArgv: [],
  });
  const reply = () =>
    Promise.race([
      once(cloud, 'message').then(([message]) => message),
      once(cloud, 'exit').then(([code]) => {
        throw new Error(`The cloud ended with exit code ${code}: see above.`);
      }),
    ]);
  const { baseUrl, browserUrl } = await reply();
  return {
    baseUrl,
    browserUrl,
    async stop() {
      const said = reply();
      cloud.send('stop');
      const { complaints } = await said;
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
  };
}
