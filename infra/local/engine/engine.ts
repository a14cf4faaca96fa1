import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { checkDatabase, restoreRemedy } from '../data/copies.ts';
import type { DataFolder } from '../data/dataFolder.ts';
import { logLine } from '../log.ts';
import { messageOf, StartupError } from '../startupError.ts';
import type { EngineCommand } from './engineCommand.ts';
import { type EngineExit, type EngineProcess, spawnEngine } from './engineProcess.ts';
import { findFreePort } from './freePort.ts';
import { endLeftoverEngine } from './leftoverEngine.ts';

export interface Engine {
  readonly endpoint: string;
  /** Settles only when the engine died and could not be restarted, or died again. */
  readonly failure: Promise<StartupError>;
  stop(): Promise<void>;
}

const START_ATTEMPTS = 3;

/** Starts the engine on the folder's database, and once more if it dies before it is stopped. */
export async function startEngine(folder: DataFolder, command: EngineCommand): Promise<Engine> {
  const wasKilled = existsSync(folder.enginePidFile);
  await endLeftoverEngine(folder);
  if (wasKilled && existsSync(folder.databaseFile)) checkDatabase(folder);
  const { port, process: first } = await startOnFreePort(folder, command);
  let current = first;
  let stopping = false;
  const killOnExit = (): void => current.killNow();
  process.once('exit', killOnExit);

  const run = (): EngineProcess => {
    current = launch(folder, command, port);
    return current;
  };
  const failure = restartOnce(first, run, command, () => stopping);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    failure,
    async stop() {
      stopping = true;
      await current.stop();
      process.off('exit', killOnExit);
      rmSync(folder.enginePidFile, { force: true });
    },
  };
}

function launch(folder: DataFolder, command: EngineCommand, port: number): EngineProcess {
  const engine = spawnEngine(command, port, folder.databaseFile);
  if (engine.pid !== undefined) recordPid(folder, engine.pid);
  return engine;
}

/** On a full disk the engine runs without it: its watcher ends it with the service. */
function recordPid({ enginePidFile }: DataFolder, pid: number): void {
  try {
    writeFileSync(enginePidFile, `${pid}\n`);
  } catch (error) {
    logLine('warn', 'engine_ended', { message: messageOf(error) });
  }
}

async function startOnFreePort(folder: DataFolder, command: EngineCommand) {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const engine = launch(folder, command, port);
    if (await engine.ready(command.startDeadlineMs)) return { port, process: engine };
    const answeredLate = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
    const exit = await Promise.race([engine.exited, answeredLate]);
    await engine.stop();
    rmSync(folder.enginePidFile, { force: true });
    const portWasTaken = exit?.lastWords.includes('already in use') ?? false;
    if (!portWasTaken || attempt === START_ATTEMPTS) throw cannotStart(folder, command, exit);
  }
}

async function restartOnce(
  first: EngineProcess,
  run: () => EngineProcess,
  command: EngineCommand,
  isStopping: () => boolean,
): Promise<StartupError> {
  const never = new Promise<never>(() => {});
  const exit = await first.exited;
  if (isStopping()) return never;
  logLine('warn', 'engine_ended', { ...exit });
  const second = run();
  if (!(await second.ready(command.startDeadlineMs))) second.killNow();
  const lastExit = await second.exited;
  return isStopping() ? never : endedTwice(lastExit);
}

function cannotStart(folder: DataFolder, command: EngineCommand, exit: EngineExit | undefined): StartupError {
  const alternative = 'set DYNAMODB_ENDPOINT to a running DynamoDB engine';
  if (exit === undefined) {
    const seconds = command.startDeadlineMs / 1_000;
    return new StartupError(
      `The database engine did not answer within ${seconds} s: start again, or ${alternative}.`,
    );
  }
  const cause = causeOf(exit);
  if (/database|sqlite|disk/i.test(cause)) {
    return new StartupError(
      `The database ${folder.databaseFile} cannot be opened (${cause}): ` +
        `${restoreRemedy(folder)}, or set EVALGATE_DATA_DIR to another folder.`,
    );
  }
  if (command.viaNpx) {
    return new StartupError(
      `No database engine is installed for ${process.platform} on ${process.arch}, ` +
        `and npx could not run one (${cause}): ${alternative}.`,
    );
  }
  return new StartupError(`The database engine ${command.file} does not start (${cause}): ${alternative}.`);
}

function endedTwice(exit: EngineExit): StartupError {
  return new StartupError(
    `The database engine ended twice, the last time with ${causeOf(exit)}: ` +
      'check the disk and the data folder, then start again.',
  );
}

function causeOf({ reason, lastWords }: EngineExit): string {
  const lines = lastWords.split('\n').filter((line) => line !== '' && !line.includes('listening on'));
  const line = lines.find((candidate) => /error/i.test(candidate)) ?? lines.at(-1) ?? reason;
  return line.replace(/^error:\s*/i, '').replace(/(?<![.\s])[.\s]+$/, '');
}
