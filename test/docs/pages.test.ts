import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { documents } from '../../scripts/documents/documents.ts';
import { REPOSITORY_DIR } from '../support/processes.ts';
import { anchorsOf, linksOf, pages, readPage } from './pages.ts';

test.each(documents)('$file is what `npm run docs` writes', ({ file, text }) => {
  expect(readPage(file).text).toBe(text());
});

test.each(pages)('every link of $file leads to a file, and to a heading there', (page) => {
  for (const link of linksOf(page)) {
    const [to = '', anchor] = link.split('#');
    const file = to === '' ? page.file : path.join(path.dirname(page.file), to);
    expect({ link, exists: existsSync(path.join(REPOSITORY_DIR, file)) }).toEqual({ link, exists: true });
    if (anchor !== undefined) {
      expect({ link, leads: anchorsOf(readPage(file)).includes(anchor) }).toEqual({ link, leads: true });
    }
  }
});

test('the README names every page', () => {
  const linked = linksOf(readPage('README.md'));
  for (const { file } of pages) if (file !== 'README.md') expect(linked).toContain(file);
});

test('CHANGELOG.md has the form of Keep a Changelog: unreleased changes first, each kind once', () => {
  const [head = '', ...versions] = readPage('CHANGELOG.md').text.split(/^## /m);
  expect(head).toMatch(/^# Changelog\n/);
  expect(versions[0]).toMatch(/^\[Unreleased\]\n/);
  for (const version of versions.slice(1)) expect(version).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n/);
  for (const version of versions) {
    const kinds = version.match(/(?<=^### ).+$/gm) ?? [];
    expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toEqual(
      expect.arrayContaining(kinds),
    );
    expect(new Set(kinds).size).toBe(kinds.length);
  }
});

test('paths of files that a page names exist', () => {
  const PATH = /`((?:clients|functions|shared|infra|scripts|test|bench|docs)\/[\w./-]*\w\/?)`/g;
  for (const { file, text } of pages) {
    for (const [, named = ''] of text.matchAll(PATH)) {
      // What is built is not there before.
      if (named.startsWith('clients/npm/dist/')) continue;
      expect({ file, named, exists: existsSync(path.join(REPOSITORY_DIR, named)) }).toEqual({
        file,
        named,
        exists: true,
      });
    }
  }
});

test('no page, help or template has the package taken from a registry, where the name is not ours', () => {
  const files = globSync('{*.md,docs/*.md,clients/**/*.{md,ts,json,html}}', {
    cwd: REPOSITORY_DIR,
    exclude: (name) => name === 'dist',
  });
  expect(files.length).toBeGreaterThan(100);
  const ofRegistry =
    /\b(npx|npm (install|i|exec|create)|bunx|(pnpm|yarn) (dlx|add)|pip install)( -\S+)* evalgate\b/;
  expect(files.filter((file) => ofRegistry.test(readPage(file).text))).toEqual([]);
});
