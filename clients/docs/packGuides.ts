import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { guidesPage } from './guides.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const inDocs = (name: string): string => path.join(ROOT, 'docs', name);

/** In the README's order. */
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const names = new Set([...README.matchAll(/\]\(docs\/([\w-]+)\.md[#)]/g)].map(([, name = '']) => name));

function pictureOf(file: string): string | undefined {
  const source = inDocs(path.basename(file));
  if (!file.endsWith('.png') || !existsSync(source)) return undefined;
  return `data:image/png;base64,${readFileSync(source, 'base64')}`;
}

/** Writes the page of `/guides` to stdout. */
process.stdout.write(
  guidesPage(
    [...names].map((name) => ({ name, markdown: readFileSync(inDocs(`${name}.md`), 'utf8') })),
    pictureOf,
  ),
);
