import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withPackage } from './contents.ts';

const FLAGS = ['--ignore-scripts', '--offline', '--loglevel=error'];
const npmCli = process.env.npm_execpath ?? '';
const isOwnNpm = path.basename(npmCli) === 'npm-cli.js';
const [command, ...first] = isOwnNpm ? [process.execPath, npmCli] : ['npm'];

/** Writes the package to stdout, as `npm pack` packs it. The same sources give the same bytes. */
const packed = await withPackage((folder) => {
  const around = path.dirname(folder);
  const places = ['--pack-destination', around, '--cache', path.join(around, 'cache')];
  execFileSync(command, [...first, 'pack', folder, ...places, ...FLAGS], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // It would leave files behind.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    shell: !isOwnNpm && process.platform === 'win32',
  });
  const name = readdirSync(around).find((file) => file.endsWith('.tgz')) ?? '';
  return readFileSync(path.join(around, name));
});
process.stdout.write(packed);
