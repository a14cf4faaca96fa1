import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { NODE } from '../test/support/service.ts';
import type { Row, Size } from './result.ts';

const CHILD = path.join(import.meta.dirname, 'child.ts');

/** A bench starts engines of its own, whatever engine and table this process was told to use. */
const OWN_ENGINE = {
  DYNAMODB_ENDPOINT: '',
  TABLE_NAME: '',
  SQS_ENDPOINT: '',
  QUEUE_URL: '',
  KMS_ENDPOINT: '',
};

/**
 * Runs a bench in a process of its own: what it sets, loads and leaves behind ends with it, so that none changes what
 * the next one measures. Fails with the last words of a bench that failed.
 */
export async function benchApart(name: string, size: Size): Promise<Row[]> {
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', CHILD, name, size], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // JSON has no NaN.
    serialization: 'advanced',
    env: { ...process.env, NODE_OPTIONS: '', ...OWN_ENGINE },
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000);
  });
  let rows: Row[] | undefined;
  child.once('message', (message) => {
    rows = message as Row[];
  });
  const [code, signal] = await once(child, 'exit');
  if (rows === undefined) throw new Error(`The bench ${name} ended with ${signal ?? code}: ${stderr.trim()}`);
  return rows;
}
