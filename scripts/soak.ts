import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './run.ts';
import { beginTestRun, headline, type TestRun } from './testRun.ts';

/**
 * `npm run soak`: what only many seeds and hours can break, for changes of storage, scoring or rights, and once a week.
 * `npm run soak faults laws` runs two of its parts. EVALGATE_SOAK_FACTOR multiplies seeds and draws.
 */
interface Part {
  readonly does: string;
  /** Returns an exit code. */
  run(testRun: TestRun): Promise<number>;
}

const factor = Number(process.env.EVALGATE_SOAK_FACTOR ?? 1);
/** With 37 scenarios these are more than 14,000 plays. */
const FAULT_SEEDS = 400;
/** The properties draw anew for each: 1 is the seed of `npm test`. */
const PROPERTY_SEEDS = [2, 3, 4, 5];
/** Where laws are tested that hold for all values. */
const LAWS = ['test/shared', 'test/clients/files', 'test/clients/importers', 'test/clients/gate'];

/** Slow tests try many values of what one call of each function shows. */
const isSlow = (name: string): boolean => name.endsWith('.slow.test.ts');

const filesThat = (pattern: string, includes: string, exclude: (name: string) => boolean = () => false) =>
  globSync(pattern, { cwd: ROOT, exclude })
    .map((file) => path.join(ROOT, file))
    .filter((file) => readFileSync(file, 'utf8').includes(includes));

const SOAK_MATCH = ['--testMatch', '**/*.soak.test.ts'];

const PARTS: Readonly<Record<string, Part>> = {
  long: {
    does: 'Tests named *.soak.test.ts, but the benches, and all rows and sizes of those that `npm test` runs in part',
    run({ runTests }) {
      process.env.EVALGATE_SOAK = '1';
      const inPart = filesThat('test/**/*.test.ts', '/soak.ts');
      return runTests('local', [...SOAK_MATCH, ...inPart, '--testPathIgnorePatterns', 'test/bench']);
    },
  },
  faults: {
    does: `The fault harness with ${FAULT_SEEDS * factor} seeds a scenario`,
    run({ runTests }) {
      process.env.EVALGATE_FAULT_SEEDS = String(FAULT_SEEDS * factor);
      process.env.EVALGATE_FAULT_FIGURES = '1';
      return runTests('local', ['test/faults']);
    },
  },
  laws: {
    does: `Property tests with ${PROPERTY_SEEDS.length * factor} more seeds`,
    async run({ runTests }) {
      const files = LAWS.flatMap((folder) => filesThat(`${folder}/**/*.test.ts`, 'fast-check'));
      let code = 0;
      for (let round = 0; round < factor; round++) {
        for (const seed of PROPERTY_SEEDS) {
          process.env.EVALGATE_PROPERTY_SEED = String(seed + round * PROPERTY_SEEDS.length);
          code ||= await runTests('local', ['--testMatch', ...files]);
        }
      }
      return code;
    },
  },
  deployed: {
    does: 'Tests of endpoints and of the dashboard, on the bundles, variables and roles that would be deployed',
    run: ({ runTests }) =>
      runTests('deployed', [
        '--testMatch',
        ...filesThat('test/{functions,clients/network}/**/*.test.ts', 'sharedServiceUrl()', isSlow),
        ...filesThat('test/clients/dashboard/*.test.ts', 'useDashboard()'),
      ]),
  },
  bench: {
    does: 'Every bench once, in its smallest size',
    run: ({ runTests }) => runTests('local', [...SOAK_MATCH, 'test/bench']),
  },
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  process.stderr.write(`usage: npm run soak [${Object.keys(PARTS).join('|')} ...]\n`);
  process.exitCode = 2;
} else {
  const testRun = beginTestRun();
  try {
    for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
      const part = PARTS[name] as Part;
      headline(`${name}: ${part.does}`);
      // One part that fails leaves the others to run.
      process.exitCode = (await part.run(testRun)) || process.exitCode;
    }
  } finally {
    testRun.end();
  }
}
