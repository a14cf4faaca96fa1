import { rmSync } from 'node:fs';
import { type Api, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { startEngineTable, TABLE_NAME } from '../../support/ownService.ts';
import { type RunningService, startService, temporaryFolder } from '../../support/service.ts';
import { startWriteProxy, type WriteProxy } from './writeProxy.ts';

/** The service as a process that is killed and started again, on an engine that outlives it. */
export interface Killable {
  readonly proxy: WriteProxy;
  kill9(): Promise<void>;
  start(): Promise<void>;
  /** A project in an organisation of its own. Whichever service runs then is called. */
  newProject(): Promise<{ readonly client: Api; readonly project: string }>;
  stop(): Promise<void>;
}

export async function startKillable(): Promise<Killable> {
  const dataDir = temporaryFolder();
  const owned = await startEngineTable();
  const proxy = await startWriteProxy(owned.endpoint);
  const env = { DYNAMODB_ENDPOINT: proxy.url, TABLE_NAME };
  let service: RunningService = await startService({ dataDir, env });
  return {
    proxy,
    kill9: async () => void (await service.kill9()),
    async start() {
      service = await startService({ dataDir, env });
    },
    async newProject() {
      const { api_key } = (await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'O' })).body.data;
      // Definitions of 10,000 cases are not compared with the document of the API again.
      const client: Api = (...args) => api(service.baseUrl, api_key.key, () => {})(...args);
      return { client, project: (await makeProject(client)).slug };
    },
    async stop() {
      await service.kill9();
      await proxy.stop();
      await owned.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
