import type { Definitions } from './act.ts';

/** Commands about what judges runs. */
export const bar: Definitions = {
  compare: (command, act) =>
    command
      .summary('what got worse or better in a run since its baseline')
      .description(
        'Compares a run case by case with the baseline that it was judged with, else with the current one of its suite.\n' +
          'The exit code is no verdict.',
      )
      .argument('<run>', 'id of the run')
      .option('--baseline <run>', 'id of a run of the same suite to compare with instead')
      .examples('evalgate compare run_3kT', 'evalgate compare run_3kT --baseline run_2sE')
      .action(act(async () => (await import('../commands/bar/compare.ts')).compare)),

  history: (command, act) =>
    command
      .summary('what judged a suite’s runs, and who changed it')
      .description(
        'The bars that judged runs, newest first, and with a key of scope full the changes of the suite, newest first.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .option('--diff <digest>', 'how the suite differs now from the bar of this digest')
      .option('--limit <count>', 'at most so many of each', '20')
      .examples('evalgate history returns', 'evalgate history returns --diff sha256:5f0c…')
      .action(act(async () => (await import('../commands/bar/history.ts')).history)),
};
