import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Contract } from '../../../shared/contracts/base/contract.ts';

export type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

const FUNCTIONS_DIR = path.resolve(import.meta.dirname, '../../../functions');

export async function loadFunctions(contracts: readonly Contract[]): Promise<ReadonlyMap<string, Handler>> {
  const loaded = contracts.map(async ({ id }) => [id, await loadFunction<Handler>(id)] as const);
  return new Map(await Promise.all(loaded));
}

/** The handler of `functions/<id>.ts`. The caller states its type. */
export async function loadFunction<Handler>(id: string): Promise<Handler> {
  const file = path.join(FUNCTIONS_DIR, `${id}.ts`);
  if (!existsSync(file)) throw new Error(`There is no function ${id}: ${file} does not exist.`);
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  if (typeof module.handler !== 'function') throw new Error(`${file} does not export a handler.`);
  return module.handler as Handler;
}

export function lambdaContext(functionId: string, requestId: string, timeoutMs: number): Context {
  const functionName = `evalgate-local-${functionId.replaceAll('/', '-')}`;
  const deadline = Date.now() + timeoutMs;
  const obsolete = (): void => {};
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: obsolete,
    fail: obsolete,
    succeed: obsolete,
  };
}
