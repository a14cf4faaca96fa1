import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readRequest } from './awsRequest.ts';
import type { Deployed, DeployedFunction } from './deployed.ts';
import type { Engines } from './engines.ts';
import { type Forwarder, forwarder } from './forward.ts';
import { allows } from './policy.ts';
import { notAuthorized, notKnown } from './refusals.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

interface Records {
  /** The actions that were allowed, by function. */
  readonly used: Map<string, Set<string>>;
  readonly refused: { readonly functionId: string; readonly action: string; readonly resource: string }[];
}

/** One address for all AWS services, which recognises each function by its credentials. */
export interface AwsFront {
  readonly url: string;
  readonly records: Records;
  /** Serves this deployment from now on. */
  serve(deployed: Deployed, engines: Engines): void;
  accessKeyOf(functionId: string): Credentials;
  stop(): Promise<void>;
}

interface Served {
  readonly deployed: Deployed;
  readonly engines: Engines;
  readonly callers: ReadonlyMap<string, { readonly caller: DeployedFunction; readonly sessionToken: string }>;
}

/** Longer than clients keep what they don't use: none writes to a connection that is being closed. */
const KEEP_ALIVE_MS = 120_000;

export async function startAwsFront(): Promise<AwsFront> {
  const accessKeyOf = accessKeys();
  const records: Records = { used: new Map(), refused: [] };
  const toEngines = forwarder();
  let served: Served | undefined;

  const server = createServer((request, response) => {
    if (served === undefined) return void response.writeHead(503).end();
    answer(request, response, { ...served, records, toEngines }).catch((error: Error) => {
      // A client that has gone is no failure.
      if (request.socket.destroyed) return;
      records.refused.push({ functionId: 'unknown', action: 'unreadable', resource: error.message });
      response.writeHead(500).end(error.message);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    accessKeyOf,
    serve(deployed, engines) {
      const callers = [...deployed.functions.values()].map((caller) => {
        const { accessKeyId, sessionToken } = accessKeyOf(caller.id);
        return [accessKeyId, { caller, sessionToken }] as const;
      });
      served = { deployed, engines, callers: new Map(callers) };
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      toEngines.stop();
      await once(server, 'close');
    },
  };
}

/** Session credentials, constant for each function and known here only. */
function accessKeys(): (functionId: string) => Credentials {
  const secret = randomBytes(32);
  return (functionId) => {
    const derived = (what: string) =>
      createHmac('sha256', secret).update(`${what} of ${functionId}`).digest('hex');
    return {
      accessKeyId: `ASIA${derived('access key').slice(0, 16).toUpperCase()}`,
      secretAccessKey: derived('secret'),
      sessionToken: derived('session'),
    };
  };
}

interface Front extends Served {
  readonly records: Records;
  readonly toEngines: Forwarder;
}

async function answer(request: IncomingMessage, response: ServerResponse, front: Front): Promise<void> {
  const { deployed, engines, callers, records, toEngines } = front;
  const body = Buffer.concat(await request.toArray());
  const asked = readRequest(request.headers, body.toString(), deployed);
  const known = callers.get(asked?.accessKeyId ?? '');
  const token = request.headers['x-amz-security-token'];
  if (asked === undefined || known === undefined || known.sessionToken !== token) {
    const action = String(request.headers['x-amz-target']);
    records.refused.push({ functionId: 'unknown', action, resource: String(request.headers.authorization) });
    return notKnown(response, asked?.service);
  }
  const { caller } = known;
  const missing = asked.rights.find((right) => !allows(caller.statements, right));
  if (missing !== undefined) {
    const { action, resource } = missing;
    records.refused.push({ functionId: caller.id, action, resource });
    return notAuthorized(response, asked.service, missing, caller);
  }
  const used = records.used.get(caller.id) ?? new Set();
  for (const { action } of asked.rights) used.add(action);
  records.used.set(caller.id, used);
  toEngines.forward(request, body, response, engines[asked.service]);
}
