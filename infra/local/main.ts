import { Console } from 'node:console';
import { describeError } from '../../shared/runtime/log.ts';
import { banner } from './banner.ts';
import { readConfig } from './config.ts';
import { makeDemo } from './demo.ts';
import { logLine } from './log.ts';
import { type LocalService, startLocalService } from './service.ts';
import { StartupError } from './startupError.ts';

let service: LocalService | undefined;
let stopping = false;

/** Runs once: terminal and parent process may both send the signal. */
async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  try {
    await service?.stop();
  } catch (error) {
    logLine('error', 'stop_failed', describeError(error));
  }
  process.exit(exitCode);
}

function giveUp(error: unknown): Promise<void> {
  const text =
    error instanceof StartupError ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`evalgate: ${text}\n`);
  return stop(1);
}

async function hasProjects(baseUrl: string, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${baseUrl}/v1/projects?pageSize=1`, { headers });
  const { data = [] } = (await answer.json()) as { data?: unknown[] };
  return data.length > 0;
}

/** Without it there is less to look at, and nothing else. */
const demoIsMade = (baseUrl: string, key: string): Promise<boolean> =>
  makeDemo(baseUrl, key).then(
    () => true,
    (error: unknown) => {
      logLine('error', 'demo_not_made', describeError(error));
      return false;
    },
  );

globalThis.console = new Console(process.stderr, process.stderr);
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
process.on('unhandledRejection', (error) => logLine('error', 'unhandled_rejection', describeError(error)));
// Ends with the parent process that holds the channel.
if (process.channel !== undefined) process.once('disconnect', () => void stop(0));

try {
  const config = readConfig(process.env);
  service = await startLocalService(config);
  void service.failure.then(giveUp);
  const { baseUrl, apiKey, apiKeyFile, payments } = service;
  const { key, isNew: isNewKey, isKnown: isKnownKey, isLost: isLostKey } = apiKey;
  const hasDemo = isNewKey && config.makesDemo && (await demoIsMade(baseUrl, key));
  const hasData = !isNewKey && isKnownKey && (await hasProjects(baseUrl, key));
  const { dataDir, closedKeys } = service;
  const shown = { isNewKey, isKnownKey, isLostKey, hasDemo, hasData, dataDir, closedKeys };
  process.stdout.write(banner({ baseUrl, apiKey: key, apiKeyFile, payments, ...shown }));
} catch (error) {
  await giveUp(error);
}
