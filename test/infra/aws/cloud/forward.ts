import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';

export interface Forwarder {
  /** Passes a request on to an engine, which takes any signature, and its answer back. */
  forward(request: IncomingMessage, body: Buffer, response: ServerResponse, engine: string): void;
  stop(): void;
}

/** Of one connection only. */
const HOP_BY_HOP = ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'];

export function forwarder(): Forwarder {
  const agent = new Agent({ keepAlive: true });
  return {
    forward(request, body, response, engine) {
      const { method, url = '/' } = request;
      const headers = ofTheMessage(request);
      const forwarded = send(new URL(url, engine), { method, headers, agent });
      forwarded.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 500, ofTheMessage(answer));
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      response.on('close', () => {
        if (!response.writableFinished) forwarded.destroy();
      });
      forwarded.end(body);
    },
    stop: () => agent.destroy(),
  };
}

const ofTheMessage = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      HOP_BY_HOP.includes(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  );
