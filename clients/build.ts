import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../scripts/run.ts';
import { generatedFiles } from './generated.ts';

/** `npm run clients`: writes what is generated; with `--check` it writes nothing and fails on a difference. */
const stale = generatedFiles().filter(({ file, text }) => {
  try {
    return readFileSync(path.join(ROOT, file), 'utf8') !== text;
  } catch {
    return true;
  }
});
if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is not what \`npm run clients\` writes.`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const { file, text } of stale) writeFileSync(path.join(ROOT, file), text);
}
