import { type Definitions } from './act.ts';

/** Commands that bring suites in from other tools, and out again. */
export const exchange: Definitions = {
  import(command, act) {
    command
      .summary('make a suite of tests for another tool')
      .helpCommand(false)
      .examples('evalgate import promptfoo promptfooconfig.yaml --judge openai/gpt-5');
    command
      .command('promptfoo')
      .summary('make a suite of a config of promptfoo')
      .description(
        'Makes a suite of a config of promptfoo, and a report of what is not the same or could not be mapped.\n' +
          'Nothing is executed, and no file is overwritten.',
      )
      .argument('<config>', 'the config, such as promptfooconfig.yaml')
      .option('--judge <provider[/model]>', 'judges where the config names none that is known')
      .option('--strict', 'write nothing, and end with 2, unless everything is mapped')
      .option('--out <folder>', 'where the files go, evals/<suite> by default')
      .action(act(async () => (await import('../commands/exchange/importPromptfoo.ts')).importFromPromptfoo));
  },

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
