import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { NODE } from '../test/support/processes.ts';
import type { Row, Size } from './result.ts';

const CHILD = path.join(import.meta.dirname, 'child.ts');

/** A bench starts its own engines, whatever engine and table the environment names. */
const OWN_ENGINE = {
  DYNAMODB_ENDPOINT: '',
  TABLE_NAME: '',
  SQS_ENDPOINT: '',
  QUEUE_URL: '',
  KMS_ENDPOINT: '',
};

/**
 * Runs a bench in its own process, so that nothing it sets, loads or leaves behind affects the next one. Throws with
 * the end of a failed bench's stderr.
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
