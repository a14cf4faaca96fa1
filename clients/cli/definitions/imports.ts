import type { Definitions, ShownCommand } from './act.ts';

const OTHERS_STAY = 'Importing the same file again updates its files; no other file is overwritten.';

/** What every import has. */
const common = (command: ShownCommand): ShownCommand =>
  command
    .option('--strict', 'write nothing, and exit with 2, unless everything is mapped')
    .option('--prune', 'delete cases of an earlier import that are gone from the source')
    .option('--out <folder>', 'folder for the files, by default evals/<suite>');

/** Suites that are made of tests for another tool, or of a table. */
export const defineImports: Definitions[string] = (command, act) => {
  command
    .summary('import a suite from a table, from traces, or from tests for another tool')
    .helpCommand(false)
    .examples(
      'evalgate import csv faq.csv --question question --expected answer',
      'evalgate import promptfoo promptfooconfig.yaml --judge openai/gpt-5',
      'evalgate import traces traces.jsonl',
    );
  const table = (name: 'jsonl' | 'csv', what: string): ShownCommand =>
    common(
      (command.command(name) as ShownCommand)
        .summary(`import a suite of questions and answers from ${what}`)
        .description(`Makes a suite from questions and expected answers in ${what}. ${OTHERS_STAY}`)
        .argument('<file>', 'the table, with a field for questions and one for expected answers')
        .option('--question <field>', 'field with the question, which the program gets as `question`')
        .option('--expected <field>', 'field with the expected answer')
        .option(
          '--scorer <name>',
          'exact_match, similarity, contains or judge; by default your choice on a terminal, else exact_match',
        )
        .option('--judge <provider[/model]>', 'model that judges, with --scorer judge')
        .option('--key <field>', 'field with the keys of cases, by default made of the question')
        .option('--tags <field>', 'field with the tags of cases: a list, or a text with commas'),
    );
  table('jsonl', 'JSON lines').action(
    act(async () => (await import('../commands/exchange/importTable.ts')).importFromJsonl),
  );
  table('csv', 'CSV').action(
    act(async () => (await import('../commands/exchange/importTable.ts')).importFromCsv),
  );
  common(
    (command.command('traces') as ShownCommand)
      .summary('import a suite from recorded traces of an agent')
      .description(
        'Makes a case of each trace, which expects the calls that it shows, right or wrong. Reads what --outputs reads: ' +
          `lines with trace or messages, or spans of OpenTelemetry. ${OTHERS_STAY}`,
      )
      .argument('<file>', 'the traces')
      .option(
        '--scorer <name>',
        'calls (the default), or rules: cases expect no calls, and rules of yours judge',
      )
      .option('--key <field>', 'field, or attribute of the root span, with the keys of cases that name none')
      .option('--arguments <which>', 'all: also compare long texts in arguments'),
  ).action(act(async () => (await import('../commands/exchange/importTraces.ts')).importFromTraces));
  common(
    (command.command('openai-evals') as ShownCommand)
      .summary("import a suite from samples of OpenAI's evals")
      .description(
        `Makes a suite from samples with \`item\`, or with \`input\` and \`ideal\`. Nothing is executed.\n${OTHERS_STAY}`,
      )
      .argument('<file>', 'the samples, one JSON object a line')
      .option('--criteria <file>', 'the eval: its definition, its graders, or its registry file')
      .option(
        '--eval <name>',
        'name of the eval, where the registry file names the samples of none or several',
      )
      .option('--judge <provider[/model]>', 'model that judges where a grader names none'),
  ).action(act(async () => (await import('../commands/exchange/importEvals.ts')).importFromEvals));
  common(
    (command.command('promptfoo') as ShownCommand)
      .summary('import a suite from a promptfoo config')
      .description(
        'Makes a suite from a promptfoo config, and a report of each difference and of each assertion that is not mapped.\n' +
          `Nothing is executed. ${OTHERS_STAY}`,
      )
      .argument('<config>', 'the config, such as promptfooconfig.yaml')
      .option('--judge <provider[/model]>', 'model that judges where the config names none that is known'),
  ).action(act(async () => (await import('../commands/exchange/importPromptfoo.ts')).importFromPromptfoo));
};
