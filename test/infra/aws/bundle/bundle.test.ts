import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Bundle } from '../../../../infra/aws/bundle/bundle.ts';
import { replacements } from '../../../../infra/aws/bundle/bundlePlugins.ts';
import { functionIds, OPERATOR, WORKERS } from '../../../../infra/aws/functions.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { sharedBundles } from '../../../support/sharedBundles.ts';

let bundles: ReadonlyMap<string, Bundle>;
beforeAll(async () => {
  bundles = await sharedBundles();
});
const workers: readonly string[] = [...Object.values(WORKERS), OPERATOR];

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

test('a function without tokens does not read the token verifier at its start', () => {
  const get = bundles.get('projects/get') as Bundle;
  expect(textOf(get, get.lazy)).toContain('jwt malformed');
  expect(textOf(get, get.eager)).not.toContain('jwt malformed');
});

test('of all contracts a function carries its own, a worker none, and the fallback the methods of every path', () => {
  const contractsOf = (id: string): string[] => {
    if (id === 'fallback/notFound') return contracts.map((contract) => contract.id);
    return workers.includes(id) ? [] : [id];
  };
  for (const [id, bundle] of bundles) {
    const text = textOf(bundle, bundle.eager) + textOf(bundle, bundle.lazy);
    const carried = contracts.filter(({ id: of, method }) =>
      new RegExp(`"${of}",["\`]${method} `).test(text),
    );
    expect([id, carried.map((contract) => contract.id)]).toEqual([id, contractsOf(id)]);
  }
});

const START_BYTES_MAX = 450_000;
/** A digest of a suite is computed with the defaults of its scorers' configs. */
const COMPILES_SCHEMAS = [
  'definitions/get',
  'definitions/put',
  'scorers/create',
  'scorers/update',
  'scorers/try',
  'suites/try',
  'suites/revision',
  'suites/warnings',
  'baselines/accept',
  'comparisons/get',
  'runs/create',
  WORKERS.evaluate,
];
const TAKES_PAYMENTS = ['billing/checkout', 'billing/portal', 'billing/webhook', WORKERS.reportOverage];
/** Functions that transliterate names into slugs and keys. */
const MAKES_SLUGS = [
  'projects/create',
  'suites/create',
  'suites/createFromTemplate',
  'cases/create',
  'scorers/create',
];

const sizeOf = (files: ReadonlyMap<string, number>): number =>
  [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
/** The functions that have a file with this text. */
const withText = (text: RegExp, files: 'eager' | 'lazy'): string[] =>
  [...bundles.values()]
    .filter((bundle) => text.test(textOf(bundle, bundle[files])))
    .map(({ functionId }) => functionId);

describe('the size of a bundle', () => {
  test('is at most 450 kB at the start of an endpoint', () => {
    const sizes = [...bundles.values()].map(({ functionId, eager, lazy }) => [
      functionId,
      sizeOf(eager),
      sizeOf(lazy),
    ]) as [string, number, number][];
    const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1).padStart(8);
    const lines = sizes
      .toSorted(([, a], [, b]) => a - b)
      .map(([id, start, later]) => `${id.padEnd(28)}${kilobytes(start)}${kilobytes(later)}`);
    process.stdout.write(`${'kB'.padEnd(28)}   start   later\n${lines.join('\n')}\n`);
    const tooLarge = sizes.filter(([id, start]) => !workers.includes(id) && start > START_BYTES_MAX);
    expect(tooLarge).toEqual([]);
  });

  test('is so altogether where no schema is compiled, no payment taken and no slug made', () => {
    const larger = [...COMPILES_SCHEMAS, ...TAKES_PAYMENTS, ...MAKES_SLUGS];
    const others = [...bundles.values()].filter(({ functionId }) => !larger.includes(functionId));
    const tooLarge = others.filter(({ eager, lazy }) => sizeOf(eager) + sizeOf(lazy) > START_BYTES_MAX);
    expect(tooLarge.map(({ functionId }) => functionId)).toEqual([]);
  });
});

describe('of the packages that are large', () => {
  test('schemas are compiled by one that is never read at the start, and carried where schemas are compiled', () => {
    const ajv = /must NOT have additional properties/;
    expect(withText(ajv, 'eager')).toEqual([]);
    expect(withText(ajv, 'lazy').toSorted()).toEqual(COMPILES_SCHEMAS.toSorted());
  });

  test('paths are read by code that is never read at the start, and carried where scorers are written and run', () => {
    const paths = /which is no I-Regexp/;
    expect(withText(paths, 'eager')).toEqual([]);
    expect(withText(paths, 'lazy').toSorted()).toEqual(COMPILES_SCHEMAS.toSorted());
  });

  test('the table of all scripts is never read at the start, and carried where slugs are made', () => {
    const scripts = /:hearts:/;
    expect(withText(scripts, 'eager')).toEqual([]);
    expect(withText(scripts, 'lazy').toSorted()).toEqual(MAKES_SLUGS.toSorted());
  });

  test('the payment provider’s is carried where payments are taken', () => {
    const stripe = /Stripe-Version/;
    expect(withText(stripe, 'eager').toSorted()).toEqual(TAKES_PAYMENTS.toSorted());
    // Few organisations are deleted.
    expect(withText(stripe, 'lazy')).toEqual(['evaluator/purge']);
  });

  test('those of the model providers are carried by the evaluator', () => {
    const models = /X-Stainless|OpenAI-Organization/;
    expect(withText(models, 'eager')).toEqual([WORKERS.evaluate]);
    expect(withText(models, 'lazy')).toEqual([]);
  });
});

test('an endpoint starts with its own contract and no other', () => {
  const ids = contracts.map(({ id }) => id);
  // The fallback names the methods of all paths.
  for (const id of ids.filter((one) => one !== 'fallback/notFound')) {
    const bundle = bundles.get(id) as Bundle;
    const text = textOf(bundle, bundle.eager);
    expect(ids.filter((other) => text.includes(`"${other}"`))).toEqual([id]);
  }
});

describe('the modules that bundles leave out', () => {
  test('are not used by our calls of the payment provider', () => {
    const folder = path.join(REPOSITORY_DIR, 'shared/billing');
    const source = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
    const asked = [...source.join('\n').matchAll(/\bstripe((?:\.\w+)+)\.\w+\(/g)].map(([, resource = '']) =>
      resource.replaceAll('.', '/').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    expect(new Set(asked).size).toBeGreaterThan(3);
    const checkout = bundles.get('billing/checkout') as Bundle;
    const text = textOf(checkout, checkout.eager);
    expect(asked.filter((resource) => !text.includes(`/v1${resource}`))).toEqual([]);
  });

  test('must be there to be left out: an update that moves it fails the build', async () => {
    const empty = { stdin: { contents: '' }, bundle: true, write: false, logLevel: 'silent' } as const;
    await expect(build({ ...empty, plugins: [replacements] })).rejects.toThrow('to replace any more');
  });
});
