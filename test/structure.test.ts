import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const FILES = globSync('{functions,shared,infra,scripts,clients}/**/*.{ts,tsx,mjs}', {
  exclude: (name) => ['generated', 'dist'].includes(name),
}).map((file) => ({
  file,
  lines: readFileSync(file, 'utf8').split('\n'),
}));

test('no product folder has more than 15 files', () => {
  const folders = Object.groupBy(FILES, ({ file }) => path.dirname(file));
  const crowded = Object.entries(folders).filter(([, files = []]) => files.length > 15);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

/** Pairs of folders directly in `root`, the first of which imports the second. Files of `root` itself are of none. */
function arrowsIn(root: string): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  const folderOf = (file: string) => file.slice(root.length).split('/').slice(0, -1)[0];
  for (const { file, lines } of FILES.filter((source) => source.file.startsWith(root))) {
    for (const [, specifier = ''] of lines.join('\n').matchAll(/ from '(\.[^']+)'/g)) {
      const imported = path.join(path.dirname(file), specifier);
      const [from, to] = [folderOf(file), folderOf(imported)];
      if (!imported.startsWith(root) || !from || !to || from === to) continue;
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

test.each(['shared/storage/', 'shared/domain/'])(
  'folders of %s import each other in one direction',
  (root) => {
    const arrows = arrowsIn(root);
    // Takes away folders that import none of the others: what remains is a cycle.
    let rest = [...arrows.keys()];
    for (let before = -1; before !== rest.length; ) {
      before = rest.length;
      const known = rest;
      rest = rest.filter((folder) => [...(arrows.get(folder) ?? [])].some((to) => known.includes(to)));
    }
    expect(rest).toEqual([]);
  },
);
