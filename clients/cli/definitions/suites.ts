import type { Definitions } from './act.ts';
import { defineImports } from './imports.ts';

/** Commands that bring suites in files to the service and back, in from other tools, and out again. */
export const suites: Definitions = {
  diff: (command, act) =>
    command
      .summary('what a push would change, and whether the bar gets weaker')
      .description(
        'Shows what a push would change, and whether the bar gets weaker. Nothing is changed, and the files are not\n' +
          'compared here: the service makes the plan.',
      )
      .argument('[files...]', 'suites, or all that evalgate.yaml names')
      .option('--exit-code', 'end with 1 when there are changes')
      .examples('evalgate diff', 'evalgate diff evals/returns.suite.yaml --exit-code')
      .action(act(async () => (await import('../commands/suites/diff.ts')).diff)),

  push: (command, act) =>
    command
      .summary('make suites at the service what files say')
      .description(
        'Makes suites at the service what files say, once the plan of all of them was shown. On a terminal it asks first.\n' +
          'Elsewhere a push that makes the bar weaker, or may, needs --allow-weaker. No suite is ever deleted.',
      )
      .argument('[files...]', 'suites, or all that evalgate.yaml names')
      .option('--prune', 'delete cases that are not in the files, and scorers of pushes that no case uses')
      .option('--yes', 'do not ask')
      .option('--allow-weaker', 'also where the bar gets weaker, or may')
      .option('--create-project', 'make the project that is named, where there is none')
      .examples('evalgate push', 'evalgate push evals/returns.suite.yaml --prune')
      .action(act(async () => (await import('../commands/suites/push.ts')).push)),

  pull: (command, act) =>
    command
      .summary('write what the service has of suites into files')
      .description(
        'Writes what the service has of suites into their files. Comments, order and layout of what did not change stay,\n' +
          'and a suite without a file gets one. Nothing is written where something is wrong.',
      )
      .argument('[suites...]', 'slugs of suites, or all of the project')
      .option('--dir <folder>', 'where new files go, from the folder of evalgate.yaml', 'evals')
      .examples('evalgate pull', 'evalgate pull returns --dir evals/support')
      .action(act(async () => (await import('../commands/suites/pull.ts')).pull)),

  import: defineImports,

  export(command, act) {
    command
      .summary('print a suite for another tool')
      .helpCommand(false)
      .examples('evalgate export promptfoo evals/returns.suite.yaml > promptfooconfig.yaml');
    command
      .command('promptfoo')
      .summary('print a suite as a config of promptfoo')
      .argument('<file>', 'the suite')
      .action(act(async () => (await import('../commands/exchange/exportSuite.ts')).exportToPromptfoo));
    command
      .command('jsonl')
      .summary('print the cases of a suite, one a line')
      .argument('<file>', 'the suite')
      .action(act(async () => (await import('../commands/exchange/exportSuite.ts')).exportToJsonl));
  },
};
