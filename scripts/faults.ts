import { run } from './run.ts';

/** `npm run faults -- 400`: the fault harness with 400 seeds for each scenario, the default, more than 10,000 in all. */
const SEEDS_DEFAULT = 400;

process.env.EVALGATE_FAULT_SEEDS = process.argv[2] ?? String(SEEDS_DEFAULT);
process.env.EVALGATE_FAULT_FIGURES = '1';
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
process.exitCode = await run('jest/bin/jest.js', ['test/faults'], flags);
