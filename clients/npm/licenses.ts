import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../bundle/root.ts';

const FOLDER = /^node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The licences of the packages that these files are of: every copy of them carries it. */
export function licensesOf(files: readonly string[], what = 'The command line of evalgate'): string {
  const folders = new Set(
    files.map((file) => FOLDER.exec(file)?.[0]).filter((folder) => folder !== undefined),
  );
  const texts = [...folders]
    .toSorted()
    .map((folder) => `${folder.replace('node_modules/', '')}\n\n${licenseIn(folder)}`);
  return `${what} contains these packages:\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function licenseIn(folder: string): string {
  const name = readdirSync(path.join(ROOT, folder)).find((file) => /^licen[cs]e/i.test(file));
  if (name === undefined) throw new Error(`${folder} has no licence that a copy of it could carry.`);
  return readFileSync(path.join(ROOT, folder, name), 'utf8').trim();
}
