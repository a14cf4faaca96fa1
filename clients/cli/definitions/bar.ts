import type { Definitions } from './act.ts';

/** Commands about what judges runs. */
export const bar: Definitions = {
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
