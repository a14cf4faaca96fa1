import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fastestFolder } from './fastestFolder.ts';
import { ROOT, run, runQuietly } from './run.ts';

/**
 * `npm test`: formatting and lint, types, unused code, import rules, then every test, then those of the endpoints once more on the
 * very bundles, variables and roles that would be deployed; at last no role may hold a right that neither pass used.
 * `npm test -- test/shared/scoring` runs the tests of one place only, EVALGATE_TEST_TARGET=deployed on what would be
 * deployed. `npm test -- --quick` checks everything and runs the tests of `test/shared` but the slow ones.
 */
const JEST_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const CODE_FOLDERS = ['functions', 'shared', 'infra', 'scripts', 'bench', 'clients'];

const CHECKS = [
  ['@biomejs/biome/bin/biome', ['check', '--error-on-warnings']],
  ['typescript/bin/tsc', ['-p', '.']],
  ['typescript/bin/tsc', ['-p', 'clients']],
  // Without the types of Node: it runs in browsers, too.
  ['typescript/bin/tsc', ['-p', 'clients/sdk']],
  ['dependency-cruiser/bin/dependency-cruiser.mjs', [...CODE_FOLDERS, '--config', '.dependency-cruiser.cjs']],
  ['knip/bin/knip.js', ['--no-progress']],
] as const;

/** Tests that use seconds of the processor on purpose, such as those of what hostile patterns may take. */
const SLOW = String.raw`\.slow\.test\.ts$`;

/** Which service the tests of endpoints ask. */
type Target = 'local' | 'deployed';
const HEADLINES: Readonly<Record<Target, string>> = {
  local: 'Tests, those of endpoints on the service as `npm start` runs it',
  deployed: 'Tests of endpoints, on the bundles, variables and roles that would be deployed',
};

const folder = mkdtempSync(path.join(fastestFolder(), 'evalgate-jest-'));
/** Tests of what a file's permissions allow go on as a user without rights, who has to pass through it. */
chmodSync(folder, 0o755);
/** Test files share what is made once a run, such as the bundles of all functions. */
process.env.EVALGATE_TEST_FOLDER = folder;
/** A service compiles its sources at every start, and tests start a hundred: what is compiled is kept for the next one. */
process.env.NODE_COMPILE_CACHE = path.join(folder, 'compiled');
/** CDK validates the templates of every app, for ten seconds of the processor. The test of `cdk synth` has it validate. */
process.env.CDK_VALIDATION = 'false';
/** A test that starts a service waits for other processes half of its time. Each worker takes up to 1 GB. */
const WORKERS = Math.min(availableParallelism() + 1, 8);
const totals = { passed: 0, failed: 0 };

const headline = (text: string): void => void process.stdout.write(`\n=== ${text}\n\n`);

async function runTests(target: Target, args: readonly string[]): Promise<number> {
  headline(HEADLINES[target]);
  process.env.EVALGATE_TEST_TARGET = target;
  const report = path.join(folder, `${target}.json`);
  const code = await run(
    'jest/bin/jest.js',
    ['--json', `--outputFile=${report}`, '--silent=false', `--maxWorkers=${WORKERS}`, ...args],
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

/**
 * The tests of endpoints that any service will do for; slow ones try many values of what one call of each function shows.
 * Of the clients, only the tests of the network are among them: to the others it is the same service.
 */
const ofAnyService = (): string[] =>
  globSync('test/{functions,clients/network,docs}/**/*.test.ts', {
    cwd: ROOT,
    exclude: (name) => new RegExp(SLOW).test(name),
  })
    .map((file) => path.join(ROOT, file))
    .filter((file) => readFileSync(file, 'utf8').includes('sharedServiceUrl()'));

/** All at once; only what one finds is shown. */
async function runChecks(): Promise<number> {
  headline('Formatting and lint, types, unused code, import rules');
  const ended = await Promise.all(CHECKS.map(([bin, args]) => runQuietly(bin, args)));
  const failed = ended.filter(({ code }) => code !== 0);
  for (const { output } of failed) process.stdout.write(output);
  return failed[0]?.code ?? 0;
}

/** What contributors break first: everything that is pure, stored or counted. */
const runQuickly = async (): Promise<number> =>
  (await runChecks()) || runTests('local', ['test/shared', '--testPathIgnorePatterns', SLOW]);

async function runEverything(): Promise<number> {
  const found = await runChecks();
  if (found !== 0) return found;
  const usedRights = mkdtempSync(path.join(folder, 'rights-'));
  process.env.EVALGATE_USED_RIGHTS = usedRights;
  const code =
    (await runTests('local', [])) || (await runTests('deployed', ['--testMatch', ...ofAnyService()]));
  // Only now is it known what no function had a use for.
  return code || checkRights(usedRights);
}

async function checkRights(usedRights: string): Promise<number> {
  headline('Rights that no function used');
  const code = await run('../test/infra/aws/cloud/unusedRights.ts', [usedRights]);
  if (code !== 0) totals.failed++;
  return code;
}

const places = process.argv.slice(2);
const wanted: Target = process.env.EVALGATE_TEST_TARGET === 'deployed' ? 'deployed' : 'local';
try {
  if (places.length === 0) process.exitCode = await runEverything();
  else process.exitCode = places[0] === '--quick' ? await runQuickly() : await runTests(wanted, places);
  const { passed, failed } = totals;
  if (passed + failed > 0) process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
