import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fastestFolder } from './fastestFolder.ts';
import { run } from './run.ts';

const JEST_FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** A test that starts a service waits for other processes half of its time. Each worker takes up to 1 GB. */
const WORKERS = Math.min(availableParallelism() + 1, 8);

/** Which service the tests of endpoints call: one as `npm start` runs it, one of what would be deployed, or none. */
export type Target = 'local' | 'deployed' | 'none';

export const headline = (text: string): void => void process.stdout.write(`\n=== ${text}\n\n`);

export interface TestRun {
  /** Lives as long as the run. */
  readonly folder: string;
  /** Runs jest once, unless the signal ends it, and returns its exit code. */
  runTests(target: Target, args: readonly string[], signal?: AbortSignal): Promise<number>;
  /** Prints how many tests passed and failed, and deletes the folder. */
  end(): void;
}

export function beginTestRun(): TestRun {
  const folder = mkdtempSync(path.join(fastestFolder(), 'evalgate-jest-'));
  /** Tests of what a file's permissions allow go on as a user without rights, who has to pass through it. */
  chmodSync(folder, 0o755);
  setVariables(folder);
  const totals = { passed: 0, failed: 0 };
  return {
    folder,
    async runTests(target, args, signal) {
      process.env.EVALGATE_TEST_TARGET = target;
      const report = path.join(folder, 'report.json');
      rmSync(report, { force: true });
      const code = await run(
        'jest/bin/jest.js',
        ['--json', `--outputFile=${report}`, '--silent=false', `--maxWorkers=${WORKERS}`, ...args],
        { nodeFlags: JEST_FLAGS, signal },
      );
      if (signal?.aborted) return code;
      const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readReport(report);
      totals.passed += numPassedTests;
      totals.failed += numFailedTests + numRuntimeErrorTestSuites;
      return code;
    },
    end() {
      const { passed, failed } = totals;
      if (passed + failed > 0) process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function setVariables(folder: string): void {
  /** Test files share what is made once a run, such as the bundles of all functions. */
  process.env.EVALGATE_TEST_FOLDER = folder;
  /** A service compiles its sources at every start, and tests start many: what is compiled is kept for the next one. */
  process.env.NODE_COMPILE_CACHE = path.join(folder, 'compiled');
  /** CDK validates the templates of every app, for ten seconds of the processor. The test of `cdk synth` has it validate. */
  process.env.CDK_VALIDATION = 'false';
}

/** There is none when the service that all tests share could not be started or stopped. */
function readReport(file: string) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1 };
  }
}
