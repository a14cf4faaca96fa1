import { type Definitions, repeated } from './act.ts';

/** Commands that work on suites in files, without the service. */
export const files: Definitions = {
  init: (command, act) =>
    command
      .summary('write evalgate.yaml and a first suite')
      .description(
        'Writes evalgate.yaml, with service, organisation and project, and a first suite. On a terminal it asks for what\n' +
          'it is not told, and signs in. A file that is there stays as it is.',
      )
      .argument('[suite]', 'slug of the suite; returns, or that of the template, by default')
      .option('--template <slug>', 'the suite of a template, such as rag-faithfulness')
      .option('--no-suite', 'only evalgate.yaml, for suites that are imported')
      .option('--create-project', 'make the project of --project, where there is none')
      .option('--offline', 'without a service: evalgate.yaml gets places for what is unknown')
      .option('--github', 'the workflow of the GitHub Action, too, and the `trust` that it needs')
      .option('--push', 'with --github: a workflow that puts suites of main in force')
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
        'Checks suites in files as the service would, without asking it. Each error has its place.',
      )
      .argument('[files...]', 'suites, or all that evalgate.yaml names')
      .examples('evalgate validate', 'evalgate validate evals/returns.suite.yaml')
      .action(act(async () => (await import('../commands/validate.ts')).validate)),

  try: (command, act) =>
    command
      .summary('score outputs on this machine')
      .description(
        'Scores outputs on this machine: 0 when the suite would be cleared, 1 when it would be aborted.\n' +
          'Nothing is sent or counted. 3 when a model has to judge a case: there is no verdict without it.',
      )
      .argument('<suite>', 'slug or file of the suite')
      .option('--output <file>', 'the one answer for all cases; - is stdin')
      .option(
        '--outputs <file.jsonl>',
        'one answer for each case, one JSON object a line or a list; - is stdin; repeatable: files are joined',
        repeated,
      )
      .option('--map <paths>', 'where other lines or a CSV have them: case=$.id,output=$.text')
      .examples(
        'evalgate try returns --output answer.txt',
        'evalgate try evals/returns.suite.yaml --outputs answers.jsonl',
      )
      .action(act(async () => (await import('../commands/try.ts')).trySuite)),
};
