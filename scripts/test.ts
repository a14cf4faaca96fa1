import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { run, runQuietly } from './run.ts';
import { beginTestRun, headline, type Target } from './testRun.ts';

/**
 * `npm test`: formatting and lint, types, unused code, import rules, and every test once; at last no role may hold a right
 * that the tests of deployed functions (`test/infra/aws`) did not use.
 * `npm test -- test/shared/scoring` runs the tests of one place only, EVALGATE_TEST_TARGET=deployed on what would be
 * deployed. `npm test -- --quick` checks everything and runs the tests of `test/shared` but the slow ones.
 */
const CODE_FOLDERS = ['functions', 'shared', 'infra', 'scripts', 'bench', 'clients'];

/** Sizes and complexity are advice, which only `npx biome check` shows. */
const LINT = [
  '@biomejs/biome/bin/biome',
  ['check', '--error-on-warnings', '--diagnostic-level=warn'],
] as const;
/** Without the one rule that needs the types of all files, which takes as long as all others together. */
const QUICK_LINT = [LINT[0], [...LINT[1], '--skip=nursery/noFloatingPromises']] as const;

const CHECKS = [
  ['typescript/bin/tsc', ['-p', '.']],
  ['typescript/bin/tsc', ['-p', 'clients']],
  // Without the types of Node: it runs in browsers, too.
  ['typescript/bin/tsc', ['-p', 'clients/sdk']],
  ['dependency-cruiser/bin/dependency-cruiser.mjs', [...CODE_FOLDERS, '--config', '.dependency-cruiser.cjs']],
  ['knip/bin/knip.js', ['--no-progress']],
] as const;

/** Tests that use seconds of the processor on purpose, such as those of what hostile patterns may take. */
const SLOW = String.raw`\.slow\.test\.ts$`;

const testRun = beginTestRun();

/** All at once; only what one finds is shown. */
async function runChecks(lint: typeof LINT | typeof QUICK_LINT): Promise<number> {
  headline('Formatting and lint, types, unused code, import rules');
  const ended = await Promise.all([lint, ...CHECKS].map(([bin, args]) => runQuietly(bin, args)));
  const failed = ended.filter(({ code }) => code !== 0);
  for (const { output } of failed) process.stdout.write(output);
  return failed[0]?.code ?? 0;
}

/** What contributors break first: everything that is pure, stored or counted. */
const runQuickly = async (): Promise<number> =>
  (await runChecks(QUICK_LINT)) ||
  testRun.runTests('none', ['test/shared', '--testPathIgnorePatterns', SLOW]);

async function runEverything(): Promise<number> {
  const checks = runChecks(LINT);
  const usedRights = mkdtempSync(path.join(testRun.folder, 'rights-'));
  process.env.EVALGATE_USED_RIGHTS = usedRights;
  headline('Tests');
  // The first tests leave a part of the processor to the checks; a check that fails ends them.
  const failed = new AbortController();
  void checks.then((code) => code !== 0 && failed.abort());
  const tested = await testRun.runTests('local', [], failed.signal);
  // Only after all of them is it known what no function had a use for.
  return (await checks) || tested || checkRights(usedRights);
}

async function checkRights(usedRights: string): Promise<number> {
  headline('Rights that no function used');
  return await run('../test/infra/aws/cloud/unusedRights.ts', [usedRights]);
}

const places = process.argv.slice(2);
const target: Target = process.env.EVALGATE_TEST_TARGET === 'deployed' ? 'deployed' : 'local';
try {
  if (places.length === 0) process.exitCode = await runEverything();
  else
    process.exitCode = places[0] === '--quick' ? await runQuickly() : await testRun.runTests(target, places);
} finally {
  testRun.end();
}
