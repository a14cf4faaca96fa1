import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach } from '@jest/globals';
import type { DeployedFunction } from './deployed.ts';
import type { Host } from './functionProcess.ts';
import { type LambdaFunction, lambdaFunction, type WarmPool } from './lambda.ts';

interface WrittenFunction extends LambdaFunction {
  readonly lines: readonly string[];
  /** Holds its one file. */
  readonly folder: string;
  /** `fn-1.mjs` */
  readonly name: string;
}

export type Deploy = (
  source: string,
  fields?: Partial<DeployedFunction>,
  host?: Partial<Host>,
  pool?: WarmPool,
) => WrittenFunction;

/** Deploys functions from a test's own source code, until the test ends. */
export function writtenFunctions(): Deploy {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-lambda-test-'));
  const functions: LambdaFunction[] = [];
  afterEach(async () => {
    for (const fn of functions.splice(0)) await fn.stop();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let made = 0;
  return (source, fields = {}, host = {}, pool = undefined) => {
    const name = `fn-${++made}`;
    writeFileSync(path.join(folder, `${name}.mjs`), source);
    const lines: string[] = [];
    const fn: DeployedFunction = {
      id: `test/${name}`,
      name,
      arn: `arn:aws:lambda:us-east-1:111122223333:function:${name}`,
      folder,
      handler: `${name}.handler`,
      variables: {},
      memoryMegabytes: 256,
      timeoutSeconds: 20,
      statements: [],
      ...fields,
    };
    const given: Host = {
      account: '111122223333',
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIAFN', secretAccessKey: 'secret', sessionToken: 'session' },
      standIns: { STAND_IN: 'yes' },
      clockAheadMs: () => 0,
      onLine: (line) => void lines.push(line),
      ...host,
    };
    const started = lambdaFunction(fn, given, pool);
    functions.push(started);
    return { ...started, lines, folder, name };
  };
}
