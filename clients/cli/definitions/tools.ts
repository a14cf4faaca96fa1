import { Argument } from 'commander';
import { completionOf } from '../commands/completion.ts';
import { type Definitions, repeated } from './act.ts';

/** Commands for what no other command does, and for finding out what is wrong. */
export const tools: Definitions = {
  api: (command, act) =>
    command
      .summary('send any request to the service, and print the answer')
      .description(
        'Sends one request to the service with the credential, and prints the body of the answer.\n' +
          'Nothing is sent to other hosts. A refused request has the exit code that it has in other commands.',
      )
      .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
      .argument('<path>', 'such as /v1/whoami')
      .option('-d, --data <json>', 'the body: JSON, @file, or - for stdin')
      .option('-f, --field <name=value>', 'a text field of the body or of the query; repeatable', repeated)
      .option('--paginate', 'all pages of a list, as one list of its items')
      .examples(
        'evalgate api GET /v1/projects --paginate',
        'evalgate api POST /v1/projects -f name="Support bot"',
        'evalgate api PATCH /v1/projects/support-bot/suites/returns -d \'{"pass_threshold": 0.9}\'',
      )
      .action(act(async () => (await import('../commands/api.ts')).api)),

  doctor: (command, act) =>
    command
      .summary('check the set-up and say what is wrong')
      .description(
        'Checks files, settings, connection, credential and project, one line each, with what to do next.\n' +
          'Exits with 2 if you must change something, with 3 if the service cannot be reached.',
      )
      .examples('evalgate doctor', 'evalgate doctor --json')
      .action(act(async () => (await import('../commands/doctor/doctor.ts')).doctor)),

  open: (command, act) =>
    command
      .summary('open the dashboard, a run or a suite in the browser, and print the address')
      .argument('[what]', 'id of a run, or slug of a suite')
      .examples('evalgate open', 'evalgate open returns', 'evalgate open run_3kT --no-input')
      .action(act(async () => (await import('../commands/open.ts')).open)),

  completion: (command, act) =>
    command
      .summary('print the completion script for a shell')
      .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
      .examples(
        'source <(evalgate completion bash)',
        'source <(evalgate completion zsh)',
        'evalgate completion fish > ~/.config/fish/completions/evalgate.fish',
      )
      .action(act(async () => completionOf(command.parent ?? command))),
};
