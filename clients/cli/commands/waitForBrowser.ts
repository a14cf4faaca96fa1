import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { ENVIRONMENT } from '../../sdk/transport/environment.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';

const MINUTES = 5;
const WAIT_MS = MINUTES * 60_000;
const HOST = '127.0.0.1';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};
const page = (text: string): string =>
  `<!doctype html><html lang="en"><title>evalgate</title><meta name="color-scheme" content="light dark"><p>${text}</p></html>\n`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** How long it takes shows nothing of the state. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

/** What the browser brings; undefined: this is not the request that is waited for. */
function answerIn({ method, headers, url = '' }: IncomingMessage, port: number, state: string) {
  if (method !== 'GET' || headers.host !== `${HOST}:${port}` || !url.startsWith('/?')) return undefined;
  const query = new URLSearchParams(url.slice(2));
  if (!isSame(query.get('state') ?? '', state)) return undefined;
  return { code: query.get('code') || undefined };
}

/**
 * Listens on this machine until the browser brings the code, once: the first request with the state counts, all others are
 * 404. `onPort` sends the browser on its way. Throws when the person refuses, after five minutes, and by Ctrl-C.
 */
export async function waitForBrowser(
  { io }: Context,
  state: string,
  onPort: (port: number) => Promise<void>,
): Promise<string> {
  const { after } = io.clock ?? ENVIRONMENT;
  const server = createServer({ maxHeaderSize: 8_192 });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended: (() => void)[] = [];
  try {
    const answered = new Promise<string>((resolve, reject) => {
      let isOver = false;
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const answer = isOver ? undefined : answerIn(request, port, state);
        if (answer === undefined) {
          response.writeHead(404, HEADERS).end(page('Nothing is here.'));
          return;
        }
        isOver = true;
        const { code } = answer;
        const text = code ? 'The command line has what it needs.' : 'The command line was refused.';
        response.writeHead(200, HEADERS).end(page(`${text} You can close this tab.`), () => {
          if (code) resolve(code);
          else reject(new Problem('The login was refused in the browser.'));
        });
      });
      const timedOut = new Problem(
        `The login was not allowed in a browser within ${MINUTES} minutes.`,
        'Try again; without a browser on this machine: evalgate login --with-key',
      );
      ended.push(after(WAIT_MS, () => reject(timedOut)));
      const interrupt = () => reject(new Problem('Interrupted.', undefined, EXIT.interrupted));
      io.signal.addEventListener('abort', interrupt);
      ended.push(() => io.signal.removeEventListener('abort', interrupt));
    });
    const [code] = await Promise.all([answered, onPort(port)]);
    return code;
  } finally {
    for (const end of ended) end();
    server.close();
    server.closeAllConnections();
  }
}
