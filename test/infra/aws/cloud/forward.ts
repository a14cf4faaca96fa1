import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
type Answered = ServerResponse | Http2ServerResponse;

export interface Forwarder {
  /** Passes a request on to what listens at another address, such as an engine, and its answer back. */
  forward(request: Asked, body: Buffer, response: Answered, address: string): void;
  stop(): void;
}

/** Of one connection only. Fields of HTTP/2 itself begin with a colon. */
const HOP_BY_HOP = /^(:.*|host|connection|keep-alive|transfer-encoding|content-length)$/;

export function forwarder(): Forwarder {
  const agent = new Agent({ keepAlive: true });
  return {
    forward(request, body, response, address) {
      const { method, url = '/' } = request;
      const headers = ofTheMessage(request);
      const forwarded = send(new URL(url, address), { method, headers, agent });
      forwarded.on('response', (answer) => {
        response.statusCode = answer.statusCode ?? 500;
        for (const [name, value] of Object.entries(ofTheMessage(answer))) response.setHeader(name, value);
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

const ofTheMessage = ({ headers }: Asked): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      HOP_BY_HOP.test(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  );
