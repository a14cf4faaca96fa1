import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a file that only its owner may read. After a crash or on a full disk it has the whole content, or is unchanged. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.new`;
  try {
    const descriptor = openSync(draft, 'w', 0o600);
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}

/** Without it a crash may forget the new name. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
