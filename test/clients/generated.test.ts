import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { openApiDocument } from '../../clients/api/document.ts';
import { describeOperations } from '../../clients/api/operations.ts';
import { bundledFiles } from '../../clients/bundles.ts';
import { generatedFiles } from '../../clients/generated.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { REPOSITORY_DIR } from '../support/processes.ts';

const SDK_BYTES_MAX = 5_000;
/** Only jobs of GitHub Actions import it. */
const OIDC_BYTES_MAX = 1_000;

test.each(generatedFiles())('$file is what `npm run clients` writes', ({ file, text }) => {
  expect(readFileSync(path.join(REPOSITORY_DIR, file), 'utf8')).toBe(text);
});

test.each(await bundledFiles())('$file is what `npm run clients` bundles', ({ file, text }) => {
  expect(readFileSync(path.join(REPOSITORY_DIR, file), 'utf8')).toBe(text);
});

test('every endpoint but pages, public keys, sessions and sign-ins of persons, the deletion of an organisation, the webhook and the fallback is an operation of clients', () => {
  const left = new Set([
    'auth/jwks',
    'runs/statementKeys',
    'auth/createSession',
    'auth/deleteSession',
    'auth/beginSignIn',
    'auth/finishSignIn',
    'auth/createCliCode',
    'signIn/put',
    'signIn/get',
    'signIn/delete',
    'signIn/endSessions',
    'organisation/delete',
    'organisation/restore',
    'fallback/notFound',
    'billing/webhook',
    'billing/checkoutResult',
  ]);
  const ids = contracts
    .map(({ id }) => id)
    .filter((id) => !left.has(id))
    .map((id) => id.replace('/', '.'));
  expect(describeOperations(openApiDocument()).operations.map(({ id }) => id)).toEqual(ids);
});

async function packedBytes(lines: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: lines, resolveDir: path.join(REPOSITORY_DIR, 'clients/sdk'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2024',
    write: false,
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

test('the bundled SDK needs nothing of Node and has at most 5 kB gzipped', async () => {
  const sdk = await packedBytes("export * from './index.ts';");
  expect(sdk).toBeLessThanOrEqual(SDK_BYTES_MAX);
  const both = await packedBytes("export * from './index.ts'; export * from './githubOidc.ts';");
  expect(both - sdk).toBeLessThanOrEqual(OIDC_BYTES_MAX);
});
