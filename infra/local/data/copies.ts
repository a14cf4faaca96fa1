import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, StartupError } from '../startupError.ts';
import type { DataFolder } from './dataFolder.ts';
import { writePrivateFile } from './privateFile.ts';

/** Called by a copy that is complete. */
export function recordCopy({ lastCopyFile }: DataFolder, target: string): void {
  writePrivateFile(lastCopyFile, `${target}\n${new Date().toISOString()}\n`);
}

/** What to do about a database that is broken. */
export function restoreRemedy({ lastCopyFile, databaseFile }: DataFolder): string {
  const otherwise = `or move ${databaseFile} away to begin without what it holds`;
  try {
    const [target, time] = readFileSync(lastCopyFile, 'utf8').split('\n');
    if (target && time) return `start on the copy of ${time}, EVALGATE_DATA_DIR=${target}, ${otherwise}`;
  } catch {
    // No copy was made, or its record is gone, too.
  }
  return `restore a copy (scripts/backup.ts has recorded none here), ${otherwise}`;
}

/** After a kill: a page that was half-written would be served until it is read. */
export function checkDatabase(folder: DataFolder): void {
  const fault = faultOf(folder.databaseFile);
  if (fault === undefined) return;
  throw new StartupError(
    `The database ${folder.databaseFile} is damaged (${fault}): ${restoreRemedy(folder)}.`,
  );
}

function faultOf(file: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    const { quick_check: outcome } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
    return outcome === 'ok' ? undefined : String(outcome).replaceAll(/\s+/g, ' ');
  } catch (error) {
    return messageOf(error);
  } finally {
    database?.close();
  }
}
