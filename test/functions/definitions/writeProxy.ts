import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** In front of an engine: counts the writes of pushes, and lets none through from one of them on. */
export interface WriteProxy {
  readonly url: string;
  /** Settles when so many writes have come; neither the last of them nor one after it is passed on or answered. */
  stopAt(step: number): Promise<void>;
  /** How many writes have come since. From now on all go through. */
  goOn(): number;
  stop(): Promise<void>;
}

const WRITES = /\.(PutItem|UpdateItem|DeleteItem|TransactWriteItems)$/;
/** Its blocks, its revisions, and the flip of the heads. */
const OF_PUSH = /"(ROWS|TEXTS|REVISION)#|#token/;
const OF_RUN = /"(RUN|RESULTS|BAR)#/;

export async function startWriteProxy(engine: string): Promise<WriteProxy> {
  const agent = new Agent({ keepAlive: true });
  let writes = 0;
  let stop: { readonly step: number; readonly reach: () => void } | undefined;

  async function serve(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(asked));
    const { method, headers, url } = asked;
    if (WRITES.test(String(headers['x-amz-target'])) && isOfPush(body.toString())) {
      writes++;
      if (writes === stop?.step) stop.reach();
      if (stop !== undefined && writes >= stop.step) return;
    }
    const sent = request(new URL(url ?? '', engine), { method, headers, agent }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    response.end(Buffer.concat(await Array.fromAsync(answer)));
  }

  const server = createServer((asked, response) => {
    // Of a service that is gone.
    serve(asked, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopAt(step) {
      const { promise, resolve: reach } = Promise.withResolvers<void>();
      writes = 0;
      stop = { step, reach };
      return promise;
    },
    goOn() {
      stop = undefined;
      return writes;
    },
    async stop() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function isOfPush(body: string): boolean {
  return OF_PUSH.test(body) && !OF_RUN.test(body);
}
