import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, StartupError } from '../startupError.ts';
import type { DataFolder } from './dataFolder.ts';

export interface DataFolderLock {
  /** Writes the addresses of service and engine into the folder: for a second start's message, and for the operator. */
  announce(baseUrl: string, engine: string | undefined): void;
  release(): void;
}

const SQLITE_BUSY = 5;

/**
 * Reserves the folder for one service. The lock is an open SQLite transaction, which the operating system releases
 * however the process ends: no stale lock files, no process ids to compare.
 */
export function lockDataFolder(folder: DataFolder): DataFolderLock {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(folder.lockFile, { timeout: 0 });
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isBusy(error)) {
      throw new StartupError(
        `The data folder ${folder.path} is in use by another evalgate service${holder(folder)}: ` +
          'stop that one, or set EVALGATE_DATA_DIR to another folder.',
      );
    }
    throw new StartupError(
      `The lock file ${folder.lockFile} cannot be used (${messageOf(error)}): ` +
        'delete it, or set EVALGATE_DATA_DIR to another folder.',
    );
  }
  const held = database;
  rmSync(folder.serviceFile, { force: true });
  return {
    announce(baseUrl, engine) {
      writeFileSync(folder.serviceFile, `${JSON.stringify({ pid: process.pid, baseUrl, engine })}\n`);
    },
    release() {
      if (!held.isOpen) return;
      rmSync(folder.serviceFile, { force: true });
      held.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function holder(folder: DataFolder): string {
  try {
    const { pid, baseUrl } = JSON.parse(readFileSync(folder.serviceFile, 'utf8')) as Record<string, unknown>;
    return ` (${baseUrl}, process ${pid})`;
  } catch {
    return '';
  }
}
