import type { AddressInfo } from 'node:net';

export interface QueueEngine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * SQS over HTTP in this process, on loopback: `startFauxqs` would listen on every interface. Messages are in memory and
 * end with the process; the sweeper of the next one sends them again.
 */
export async function startQueueEngine(): Promise<QueueEngine> {
  const { buildApp } = await import('fauxqs');
  const app = buildApp({ logger: false });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => app.close() };
}
