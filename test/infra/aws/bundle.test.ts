import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bundle, bundleFunctions } from '../../../infra/aws/bundle.ts';
import { functionIds } from '../../../infra/aws/functions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-bundle-test-'));
let bundles: ReadonlyMap<string, Bundle>;
beforeAll(async () => {
  bundles = await bundleFunctions(path.join(folder, 'one'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = ({ folder: from }: Bundle): string => {
  const hash = createHash('sha256');
  for (const file of readdirSync(from).sort())
    hash.update(`${file}\0`).update(readFileSync(path.join(from, file)));
  return hash.digest('hex');
};
const textOf = ({ folder: from }: Bundle, files: ReadonlyMap<string, number>): string =>
  [...files.keys()].map((file) => readFileSync(path.join(from, file), 'utf8')).join('\n');

test('every function has a folder with its handler and all that it can reach', () => {
  expect([...bundles.keys()]).toEqual(functionIds);
  for (const { folder: from, name, eager, lazy } of bundles.values()) {
    expect(readdirSync(from).sort()).toEqual([...eager.keys(), ...lazy.keys()].sort());
    expect(existsSync(path.join(from, `${name}.mjs`))).toBe(true);
    for (const file of readdirSync(from)) {
      const text = readFileSync(path.join(from, file), 'utf8');
      for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*\(?["']\.\/([^"']+)["']/g)) {
        expect(readdirSync(from)).toContain(imported);
      }
    }
  }
});

test('the same sources give the same bytes, so that only what changed is deployed', async () => {
  const again = await bundleFunctions(path.join(folder, 'two'));
  for (const [id, bundle] of bundles)
    expect([id, hashOf(bundle)]).toEqual([id, hashOf(again.get(id) as Bundle)]);
});

test('what verifies tokens is not read at the start of a function that may meet none', () => {
  const get = bundles.get('projects/get') as Bundle;
  expect(textOf(get, get.lazy)).toContain('jwt malformed');
  expect(textOf(get, get.eager)).not.toContain('jwt malformed');
});

test('no endpoint carries a model provider’s SDK', () => {
  for (const [id, bundle] of bundles) {
    const all = new Map([...bundle.eager, ...bundle.lazy]);
    expect([id, /anthropic-version|OpenAI-Organization/.test(textOf(bundle, all))]).toEqual([
      id,
      id === 'evaluator/evaluate',
    ]);
  }
});
