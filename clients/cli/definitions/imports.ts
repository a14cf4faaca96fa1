import type { Definitions, ShownCommand } from './act.ts';

const OTHERS_STAY =
  'An import of the same file again brings its files up to date; no other one is overwritten.';

/** What every import has. */
const common = (command: ShownCommand): ShownCommand =>
  command
    .option('--strict', 'write nothing, and end with 2, unless everything is mapped')
    .option('--prune', 'delete cases of an earlier import that this one does not make')
    .option('--out <folder>', 'where the files go, evals/<suite> by default');

/** Suites that are made of tests for another tool, or of a table. */
export const defineImports: Definitions[string] = (command, act) => {
  command
    .summary('make a suite of a table, or of tests for another tool')
    .helpCommand(false)
    .examples(
      'evalgate import csv faq.csv --question question --expected answer',
      'evalgate import promptfoo promptfooconfig.yaml --judge openai/gpt-5',
    );
  const table = (name: 'jsonl' | 'csv', what: string): ShownCommand =>
    common(
      (command.command(name) as ShownCommand)
        .summary(`make a suite of questions and answers in ${what}`)
        .description(`Makes a suite of questions and expected answers in ${what}. ${OTHERS_STAY}`)
        .argument('<file>', 'the table; with a field for questions and one for expected answers')
        .option('--question <field>', 'what the program gets, as `question`')
        .option('--expected <field>', 'what its answer is compared with')
        .option(
          '--scorer <name>',
          'exact_match, similarity, contains or judge; a terminal is asked, else exact_match',
        )
        .option('--judge <provider[/model]>', 'judges, with --scorer judge')
        .option('--key <field>', 'keys of cases; else they come from the question')
        .option('--tags <field>', 'tags of cases: a list, or a text with commas'),
    );
  table('jsonl', 'JSON lines').action(
    act(async () => (await import('../commands/exchange/importTable.ts')).importFromJsonl),
  );
  table('csv', 'CSV').action(
    act(async () => (await import('../commands/exchange/importTable.ts')).importFromCsv),
  );
  common(
    (command.command('openai-evals') as ShownCommand)
      .summary("make a suite of samples of OpenAI's evals")
      .description(
        `Makes a suite of samples with \`item\`, or with \`input\` and \`ideal\`. Nothing is executed.\n${OTHERS_STAY}`,
      )
      .argument('<file>', 'the samples, one JSON object a line')
      .option('--criteria <file>', 'the eval: its definition, its graders, or its file of the registry')
      .option(
        '--eval <name>',
        'which one of a file of the registry, where it names the samples of none or several',
      )
      .option('--judge <provider[/model]>', 'judges where a grader names no model'),
  ).action(act(async () => (await import('../commands/exchange/importEvals.ts')).importFromEvals));
  common(
    (command.command('promptfoo') as ShownCommand)
      .summary('make a suite of a config of promptfoo')
      .description(
        'Makes a suite of a config of promptfoo, and a report of what is not the same or could not be mapped.\n' +
          `Nothing is executed. ${OTHERS_STAY}`,
      )
      .argument('<config>', 'the config, such as promptfooconfig.yaml')
      .option('--judge <provider[/model]>', 'judges where the config names none that is known'),
  ).action(act(async () => (await import('../commands/exchange/importPromptfoo.ts')).importFromPromptfoo));
};
