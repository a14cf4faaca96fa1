import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { NODE } from './processes.ts';

interface Request {
  readonly key?: string;
  readonly body?: unknown;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/** The fields of API Gateway's event that functions read. */
export function gatewayEvent({ key, body, pathParameters = {} }: Request): Partial<APIGatewayProxyEventV2> {
  const http = { method: body === undefined ? 'GET' : 'POST', sourceIp: '127.0.0.1' };
  return {
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    requestContext: { http } as APIGatewayProxyEventV2['requestContext'],
    pathParameters,
    isBase64Encoded: false,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

/** The first invocation of a cold function. Memory in bytes: after the import, and the peak. */
export interface ColdStart {
  readonly importMs: number;
  /** Processor time, which a busy machine lengthens less. */
  readonly importCpuMs: number;
  readonly importedBytes: number;
  readonly peakBytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the function answered is for the caller to judge
  readonly answer: any;
}

const COLD_START = `
const [entry, event] = process.argv.slice(1);
const startMs = performance.now();
const before = process.cpuUsage();
const { handler } = await import(entry);
const importMs = performance.now() - startMs;
const { user, system } = process.cpuUsage(before);
const importedBytes = process.memoryUsage.rss();
const answer = await handler(JSON.parse(event), { awsRequestId: 'cold', functionName: 'cold' });
const peakBytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ importMs, importCpuMs: (user + system) / 1000, importedBytes, peakBytes, answer }), () => process.exit());
`;

/** Invokes a bundle in a new process with a function's credentials and variables only. */
export function startCold(
  { folder, name }: { readonly folder: string; readonly name: string },
  event: unknown,
  variables: Readonly<Record<string, string>>,
): ColdStart {
  const args = ['--input-type=module', '-e', COLD_START, path.join(folder, `${name}.mjs`)];
  const child = spawnSync(NODE, [...args, JSON.stringify(event)], {
    encoding: 'utf8',
    env: { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', ...variables },
  });
  if (child.status !== 0) throw new Error(`${name} did not start: ${child.stderr}`);
  return JSON.parse(child.stdout);
}
