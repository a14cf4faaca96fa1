import { type Definitions } from './act.ts';

/** Commands that read what there is. */
export const reading: Definitions = {
  results: (command, act) =>
    command
      .summary('the results of a run')
      .argument('<run>', 'id of the run')
      .option('--failed', 'only those that did not pass')
      .examples('evalgate results run_3kT --failed', 'evalgate results run_3kT --json')
      .action(act(async () => (await import('../commands/results.ts')).results)),

  runs: (command, act) =>
    command
      .summary("a suite's runs, newest first, or every suite with its latest run")
      .argument('[suite]', 'slug or id of the suite')
      .option('--limit <count>', 'at most so many', '20')
      .examples('evalgate runs', 'evalgate runs returns --limit 5')
      .action(act(async () => (await import('../commands/runs.ts')).runs)),

  trends: (command, act) =>
    command
      .summary("a suite's days with runs")
      .argument('<suite>', 'slug or id of the suite')
      .option('--days <count>', 'how many days back, at most 90', '30')
      .examples('evalgate trends returns --days 7')
      .action(act(async () => (await import('../commands/analytics.ts')).trends)),

  regressions: (command, act) =>
    command
      .summary('the cases that the latest run failed and the one before passed')
      .argument('<suite>', 'slug or id of the suite')
      .examples('evalgate regressions returns')
      .action(act(async () => (await import('../commands/analytics.ts')).regressions)),
};
