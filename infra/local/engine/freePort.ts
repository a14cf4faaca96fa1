import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StartupError } from '../startupError.ts';

/** Below every system's outgoing ports: no outgoing connection takes the port while the engine restarts. */
const PORT_FIRST = 20_000;
const PORT_LAST = 32_000;
const ATTEMPTS = 50;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(PORT_FIRST, PORT_LAST);
    if (await isFree(port)) return port;
  }
  throw new StartupError(
    `No free port between ${PORT_FIRST} and ${PORT_LAST} for the database engine: ` +
      'free one, or set DYNAMODB_ENDPOINT to a running DynamoDB engine.',
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
