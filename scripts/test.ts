import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './run.ts';

/**
 * `npm test`: formatting and lint, types, import rules, then every test.
 * `npm test -- test/shared/scoring` runs the tests of one place only.
 */
const JEST_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const CODE_FOLDERS = ['functions', 'shared', 'infra', 'scripts', 'bench'];

const checks = [
  () => run('@biomejs/biome/bin/biome', ['check', '--error-on-warnings']),
  () => run('typescript/bin/tsc', ['-p', '.']),
  () =>
    run('dependency-cruiser/bin/dependency-cruiser.mjs', [
      ...CODE_FOLDERS,
      '--config',
      '.dependency-cruiser.cjs',
    ]),
];

async function runTests(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-jest-'));
  const report = path.join(folder, 'report.json');
  try {
    const code = await run(
      'jest/bin/jest.js',
      [...args, '--json', `--outputFile=${report}`, '--silent=false'],
      JEST_FLAGS,
    );
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    process.stdout.write(
      `\n${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`,
    );
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const places = process.argv.slice(2);
let code = 0;
if (places.length === 0) for (const check of checks) code ||= await check();
if (code === 0) code = await runTests(places);
process.exitCode = code;
