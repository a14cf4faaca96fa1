import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { REPOSITORY_DIR } from '../../test/support/processes.ts';
import type { Row } from '../result.ts';

async function packedSdk(): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: REPOSITORY_DIR,
    entryPoints: ['clients/sdk/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

/** In thousands of bytes. `programFolder` holds the command line. */
export async function sizeRows(programFolder: string): Promise<Row[]> {
  const action = statSync(path.join(REPOSITORY_DIR, 'clients/action/dist/index.mjs')).size;
  const program = readdirSync(programFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => statSync(path.join(programFolder, name)).size);
  const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100;
  const unit = 'kB';
  return [
    { metric: 'SDK, gzipped', value: kilobytes(await packedSdk()), unit, bound: { atMost: 5 } },
    { metric: 'GitHub Action', value: kilobytes(action), unit, bound: { atMost: 250 } },
    {
      metric: 'command line, all commands',
      value: kilobytes(program.reduce((sum, size) => sum + size, 0)),
      unit,
    },
  ];
}
