import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT, run } from './run.ts';

/**
 * `npm test`: formatting and lint, types, import rules, then every test, then those of the endpoints once more on the
 * very bundles, variables and roles that would be deployed.
 * `npm test -- test/shared/scoring` runs the tests of one place only.
 */
const JEST_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const CODE_FOLDERS = ['functions', 'shared', 'infra', 'scripts', 'bench'];
/** Two processes and as many machines of AWS stand between a test and its answer. */
const DEPLOYED_TEST_TIMEOUT_MS = 120_000;

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

const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-jest-'));
const totals = { passed: 0, failed: 0 };

async function runTests(pass: string, args: readonly string[]): Promise<number> {
  const report = path.join(folder, `${pass}.json`);
  const code = await run(
    'jest/bin/jest.js',
    [...args, '--json', `--outputFile=${report}`, '--silent=false'],
    JEST_FLAGS,
  );
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readReport(report);
  totals.passed += numPassedTests;
  totals.failed += numFailedTests + numRuntimeErrorTestSuites;
  return code;
}

/** There is none when the service that all tests share could not be started or stopped. */
function readReport(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1 };
  }
}

/** The tests that any service will do for. */
const ofAnyService = (): string[] =>
  globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(path.join(ROOT, file), 'utf8').includes('sharedServiceUrl()'),
  );

async function runEverything(): Promise<number> {
  for (const check of checks) {
    const code = await check();
    if (code !== 0) return code;
  }
  const usedRights = mkdtempSync(path.join(folder, 'rights-'));
  process.env.EVALGATE_USED_RIGHTS = usedRights;
  const code = await runTests('local', []);
  if (code !== 0) return code;
  process.env.EVALGATE_TEST_TARGET = 'deployed';
  const timeout = `--testTimeout=${DEPLOYED_TEST_TIMEOUT_MS}`;
  const deployedCode = await runTests('deployed', [timeout, '--runTestsByPath', ...ofAnyService()]);
  // Only now is it known what no function had a use for.
  return deployedCode || run('../test/infra/aws/cloud/unusedRights.ts', [usedRights]);
}

const places = process.argv.slice(2);
try {
  process.exitCode = places.length === 0 ? await runEverything() : await runTests('places', places);
  const { passed, failed } = totals;
  if (passed + failed > 0) process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
