import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { REPOSITORY_DIR } from '../../support/processes.ts';

const DIR = path.join(REPOSITORY_DIR, 'clients/dashboard');
const sheets = globSync('**/*.css', { cwd: DIR }).map((file) => readFileSync(path.join(DIR, file), 'utf8'));
/** The documentation takes the same type. */
const docs = readFileSync(path.join(DIR, '../docs/docs.css'), 'utf8');
const tokens = readFileSync(path.join(DIR, 'styles/tokens.css'), 'utf8');
const all = sheets.join('\n');

/** What a property is set to, anywhere. */
const valuesOf = (property: string): string[] =>
  [...`${all}\n${docs}`.matchAll(new RegExp(`^\\s*${property}: ([^;]+);`, 'gm'))].map(
    ([, value = '']) => value,
  );

test('type has four sizes and three weights, and every rule takes one of them', () => {
  expect(tokens.match(/--size-\w+:/g)).toHaveLength(4);
  expect(tokens.match(/--weight-\w+:/g)).toHaveLength(3);
  const foreign = [
    ...valuesOf('font-size').filter((value) => !/^var\(--size-\w+\)$|^inherit$/.test(value)),
    ...valuesOf('font-weight').filter((value) => !/^var\(--weight-\w+\)$|^inherit$/.test(value)),
    ...valuesOf('font').filter((value) => value !== 'inherit' && /\d(rem|em|px)|\b\d{3}\b/.test(value)),
  ];
  expect(foreign).toEqual([]);
});

test('pages have one width, and head and content take it', () => {
  expect(tokens.match(/--page:/g)).toHaveLength(1);
  const wide = [...all.matchAll(/max-width: (\d+)rem;/g)].filter(([, rem]) => Number(rem) > 44);
  expect([wide, all.match(/var\(--page\)/g)?.length]).toEqual([[], 2]);
});

test('blue is for links, the focus and the one primary action, and for nothing else', () => {
  const selectors = [...all.matchAll(/([^{}]+)\{[^{}]*var\(--accent[\w-]*\)[^{}]*\}/g)].map(
    ([, selector = '']) => selector.trim().replace(/\s+/g, ' '),
  );
  expect(selectors.sort()).toEqual([':focus-visible', 'a', 'button.case', 'button.primary, .button.primary']);
});
