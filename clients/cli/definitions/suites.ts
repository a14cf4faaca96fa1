import type { Definitions } from './act.ts';
import { defineImports } from './imports.ts';

/** Commands that bring suites in files to the service and back, in from other tools, and out again. */
export const suites: Definitions = {
  diff: (command, act) =>
    command
      .summary('show what a push would change, and whether the bar gets weaker')
      .description(
        'Shows what a push would change, and whether the bar gets weaker. Nothing is changed: the service compares the files ' +
          'with its suites.',
      )
      .argument('[files...]', 'suite files; by default all that evalgate.yaml names')
      .option('--exit-code', 'exit with 1 if there are changes')
      .examples('evalgate diff', 'evalgate diff evals/returns.suite.yaml --exit-code')
      .action(act(async () => (await import('../commands/suites/diff.ts')).diff)),

  push: (command, act) =>
    command
      .summary('upload suites from files to the service')
      .description(
        'Uploads suites from files to the service, after it has shown the plan of all of them. On a terminal it asks first.\n' +
          'Elsewhere a push that makes or may make the bar weaker needs --allow-weaker. No suite is ever deleted.',
      )
      .argument('[files...]', 'suite files; by default all that evalgate.yaml names')
      .option(
        '--prune',
        'delete cases that are not in the files, and scorers of earlier pushes that no case uses',
      )
      .option('--yes', 'do not ask')
      .option('--allow-weaker', 'also push if the bar gets or may get weaker')
      .option('--create-project', 'create the project if it does not exist')
      .examples('evalgate push', 'evalgate push evals/returns.suite.yaml --prune')
      .action(act(async () => (await import('../commands/suites/push.ts')).push)),

  pull: (command, act) =>
    command
      .summary('download suites from the service into files')
      .description(
        'Downloads suites from the service into their files. What did not change keeps its comments, order and layout, ' +
          'and a suite without a file gets one. Nothing is written if there is an error.',
      )
      .argument('[suites...]', 'slugs of suites; by default all of the project')
      .option('--dir <folder>', 'folder for new files, relative to that of evalgate.yaml', 'evals')
      .examples('evalgate pull', 'evalgate pull returns --dir evals/support')
      .action(act(async () => (await import('../commands/suites/pull.ts')).pull)),

  import: defineImports,

  export(command, act) {
    command
      .summary('print a suite for another tool, or write all that an organisation has')
      .helpCommand(false)
      .examples(
        'evalgate export promptfoo evals/returns.suite.yaml > promptfooconfig.yaml',
        'evalgate export organisation --out everything',
      );
    command
      .command('promptfoo')
      .summary('print a suite as a promptfoo config')
      .argument('<file>', 'the suite')
      .action(act(async () => (await import('../commands/exchange/exportSuite.ts')).exportToPromptfoo));
    command
      .command('jsonl')
      .summary('print the cases of a suite, one a line')
      .argument('<file>', 'the suite')
      .action(act(async () => (await import('../commands/exchange/exportSuite.ts')).exportToJsonl));
    command
      .command('organisation')
      .summary('write suites, runs, results, logs and all else that an organisation has into a folder')
      .requiredOption('--out <folder>', 'an empty folder, or that of an export to go on with')
      .action(
        act(async () => (await import('../commands/exchange/exportOrganisation.ts')).exportOrganisation),
      );
  },
};
