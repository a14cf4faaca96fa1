import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkMessage } from '../../shared/domain/messages.ts';
import { NODE } from './processes.ts';
import { temporaryFolder } from './service.ts';

const EVALUATOR = path.join(import.meta.dirname, 'evaluatorProcess.ts');

/** Handles a message, and those that follow from it, in a process of its own with this heap. */
export async function handleApart(
  endpoint: string,
  message: WorkMessage,
  heapMegabytes: number,
): Promise<void> {
  const folder = temporaryFolder();
  const keyFile = path.join(folder, 'vault-key');
  writeFileSync(keyFile, randomBytes(32), { mode: 0o600 });
  const heap = `--max-old-space-size=${heapMegabytes}`;
  const flags = ['--disable-warning=ExperimentalWarning', heap];
  const child = spawn(NODE, [...flags, EVALUATOR, endpoint, keyFile, JSON.stringify(message)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  rmSync(folder, { recursive: true });
  if (code !== 0) throw new Error(`The evaluator ended with ${signal ?? code}`);
}
