import { type Definitions, repeated } from './act.ts';

/** Commands that work on suites in files, without the service. */
export const files: Definitions = {
  init: (command, act) =>
    command
      .summary('create evalgate.yaml and a first suite')
      .description(
        'Creates evalgate.yaml, with service, organisation and project, and a first suite. On a terminal it asks for what ' +
          'is missing, and logs in. Existing files are not changed.',
      )
      .argument('[suite]', 'slug of the suite; by default returns, or that of the template')
      .option('--template <slug>', 'make the suite from a template, such as rag-faithfulness')
      .option('--no-suite', 'create evalgate.yaml only, for suites that are imported')
      .option('--create-project', 'create the project of --project if it does not exist')
      .option('--offline', 'without a service: evalgate.yaml gets placeholders')
      .option(
        '--github',
        'also create the workflow of the GitHub Action, and print the `trust` command for it',
      )
      .option('--push', 'with --github: also create a workflow that pushes the suites of main')
      .examples(
        'evalgate init',
        'evalgate init --url https://gate.example.com --project support-bot --create-project',
        'evalgate init support --github --push',
        'evalgate init --template json-schema-extraction --offline',
      )
      .action(act(async () => (await import('../commands/init/init.ts')).init)),

  validate: (command, act) =>
    command
      .summary('check suites in files, without the service')
      .description(
        'Checks suites in files as the service would, and sends nothing. Each error has its place.',
      )
      .argument('[files...]', 'suite files; by default all that evalgate.yaml names')
      .examples('evalgate validate', 'evalgate validate evals/returns.suite.yaml')
      .action(act(async () => (await import('../commands/validate.ts')).validate)),

  try: (command, act) =>
    command
      .summary('score outputs on this machine, without the service')
      .description(
        'Scores outputs on this machine. Nothing is sent or counted. Exit code 0: the run would be cleared, 1: it would be ' +
          'aborted, 3: there is no verdict, since a model has to judge a case.',
      )
      .argument('<suite>', 'slug or file of the suite')
      .option('--output <file>', 'one output for all cases; - reads stdin')
      .option(
        '--outputs <file.jsonl>',
        'an output for each case, as JSON lines or a JSON list; - reads stdin; repeatable: files are joined',
        repeated,
      )
      .option('--map <paths>', 'where other JSON or CSV has case and output: case=$.id,output=$.text')
      .examples(
        'evalgate try returns --output answer.txt',
        'evalgate try evals/returns.suite.yaml --outputs answers.jsonl',
      )
      .action(act(async () => (await import('../commands/try.ts')).trySuite)),
};
