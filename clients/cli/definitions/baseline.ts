import { Option } from 'commander';
import type { Definitions } from './act.ts';

/** Commands about what judges runs. */
export const bar: Definitions = {
  compare: (command, act) =>
    command
      .summary('show what got worse or better in a run since its baseline')
      .description(
        'Compares a run case by case with the baseline that it was judged with, or, if it had none, with the current one of its suite.\n' +
          'The exit code is not a verdict.',
      )
      .argument('<run>', 'id of the run')
      .option('--baseline <run>', 'id of a run of the same suite to compare with instead')
      .examples('evalgate compare run_3kT', 'evalgate compare run_3kT --baseline run_2sE')
      .action(act(async () => (await import('../commands/baseline/compare.ts')).compare)),

  accept: (command, act) =>
    command
      .summary('make runs the baseline that later runs are compared with')
      .description(
        'Makes one to five runs of a suite its baseline. Accept the run of what was released, or its last runs: all of them, not the best.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .argument('<run...>', 'ids of the runs')
      .option('--reason <text>', 'saved with the baseline')
      .addOption(
        new Option(
          '--gate <gate>',
          'add this gate, if no gate of the suite compares with a baseline',
        ).choices(['max_newly_failing', 'regression', 'none']),
      )
      .examples(
        'evalgate accept returns run_3kT --reason "Released as 2.3.0"',
        'evalgate accept returns run_3kT run_3kU run_3kV',
      )
      .action(act(async () => (await import('../commands/baseline/accept.ts')).accept)),

  waive: (command, act) =>
    command
      .summary('let an aborted run pass for a limited time')
      .description(
        'Waives an aborted run, and later runs of the same bar and outputs in which no other case fails. The verdict stays aborted:\n' +
          '`run` and `wait` exit with 0 unless --no-waivers is given, and the action passes unless `waivers: false`.',
      )
      .argument('<run>', 'id of the run')
      .option('--reason <text>', 'why, in 10 to 2,000 characters')
      .option('--expires <duration>', 'how long, such as 12h or 7d; at most 30d')
      .option('--revoke', 'revoke the waiver of the run')
      .examples(
        'evalgate waive run_3kT --reason "Ada: the new tone is intended" --expires 7d',
        'evalgate waive run_3kT --revoke',
      )
      .action(act(async () => (await import('../commands/baseline/waive.ts')).waive)),

  history: (command, act) =>
    command
      .summary('show the bars that judged runs of a suite, and who changed it')
      .description(
        'Shows the bars that judged runs, newest first, and with a key of scope full the changes of the suite, newest first.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .option('--diff <digest>', 'show how the suite differs now from the bar of this digest')
      .option('--limit <count>', 'at most this many of each', '20')
      .examples('evalgate history returns', 'evalgate history returns --diff sha256:5f0c…')
      .action(act(async () => (await import('../commands/baseline/history.ts')).history)),
};
