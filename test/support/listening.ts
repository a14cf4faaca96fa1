import { once } from 'node:events';
import type { AddressInfo, Server as TcpServer } from 'node:net';

export interface Listening {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Has a server listen on a free port of this machine. */
export async function listening(server: TcpServer & { closeAllConnections?(): void }): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections?.();
      await closed;
    },
  };
}
