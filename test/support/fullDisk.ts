import { chmodSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The engine, as a file in `folder`. None of its files may grow beyond 1 MB: a write beyond it fails as on a full disk. */
export function engineOnFullDisk(folder: string): string {
  const manifest = `@dynoxide/${process.platform}-${process.arch}/package.json`;
  const engine = path.join(path.dirname(createRequire(import.meta.url).resolve(manifest)), 'dynoxide');
  const file = path.join(folder, 'engine');
  writeFileSync(file, `#!/bin/bash\ntrap '' XFSZ\nulimit -f 1024\nexec '${engine}' "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** 50 kB or so that no compression makes small. */
export function noise(seed: number): string {
  let state = seed + 1;
  const next = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return state.toString(36);
  };
  return Array.from({ length: 10_000 }, next).join('');
}
