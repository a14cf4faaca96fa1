import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';

/** What is shown by nobody again: either the whole of it is in the file, for the owner alone, or there is no file. */
export function writePrivateFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.new`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}
