import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './bundle/root.ts';
import { bundledFiles } from './bundles.ts';
import { type GeneratedFile, generatedFiles } from './generated.ts';
import { withPackage, writeContents } from './npm/contents.ts';

/**
 * `npm run clients`: writes what is generated, then bundles; with `--check` it writes nothing and fails on a difference.
 * What the package holds beside its manifest is not committed, but made for `npm pack ./clients/npm`.
 */
const isCheck = process.argv.includes('--check');

function isStale({ file, text }: GeneratedFile): boolean {
  try {
    return readFileSync(path.join(ROOT, file), 'utf8') !== text;
  } catch {
    return true;
  }
}

function update(files: readonly GeneratedFile[]): void {
  for (const { file, text } of files.filter(isStale)) {
    if (isCheck) {
      console.error(`${file} is not what \`npm run clients\` writes.`);
      process.exitCode = 1;
    } else {
      mkdirSync(path.dirname(path.join(ROOT, file)), { recursive: true });
      writeFileSync(path.join(ROOT, file), text);
    }
  }
}

update(generatedFiles());
// Bundles hold what is generated.
update(await bundledFiles());
if (isCheck) await withPackage(() => undefined);
else await writeContents(path.join(ROOT, 'clients/npm'));
