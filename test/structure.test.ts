import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

const FILES = globSync('{functions,shared,infra,scripts,bench,clients,test}/**/*.{ts,tsx,mjs}', {
  exclude: (name) => ['generated', 'dist'].includes(name),
}).map((file) => ({
  file,
  lines: readFileSync(file, 'utf8').split('\n'),
}));

interface Node extends Readonly<Record<string, unknown>> {
  readonly type?: string;
}

/** How many literals are spread into literals or arguments. Attributes of JSX may come from one. */
function spreadLiterals(node: unknown, isAttribute = false): number {
  if (typeof node !== 'object' || node === null) return 0;
  const { type, spread, expression, arguments: spreadInto } = node as Node;
  // A member of an object, or one of an array or of arguments.
  const value = (type === 'SpreadElement' ? spreadInto : spread ? expression : undefined) as Node | undefined;
  const isLiteral = value?.type === 'ObjectExpression' || value?.type === 'ArrayExpression';
  let found = isLiteral && !isAttribute ? 1 : 0;
  for (const [field, inner] of Object.entries(node)) {
    const members: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
    for (const member of members) found += spreadLiterals(member, field === 'attributes');
  }
  return found;
}

test('no literal is spread into another one without a condition', () => {
  const found = FILES.filter(({ file, lines }) => {
    const text = lines.join('\n').replace(/^#!/, '//');
    const tsx = file.endsWith('.tsx');
    return /\.\.\.[{[]/.test(text) && spreadLiterals(parseSync(text, { syntax: 'typescript', tsx })) > 0;
  });
  expect(found.map(({ file }) => file)).toEqual([]);
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
