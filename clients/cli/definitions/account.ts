import { type Definitions } from './act.ts';

/** Commands about the service and the credential. */
export const account: Definitions = {
  signup: (command, act) =>
    command
      .summary('make an organisation, keep its first key, and print it once')
      .requiredOption('--name <organisation>', 'name of the organisation')
      .examples('evalgate signup --url https://gate.example.com --name "Octo Inc"')
      .action(act(async () => (await import('../commands/account.ts')).signup)),

  login: (command, act) =>
    command
      .summary('keep an API key of a service')
      .option('--with-key', 'read the key from stdin')
      .examples(
        'evalgate login --url https://gate.example.com',
        'evalgate login --url https://gate.example.com --with-key < key.txt',
      )
      .action(act(async () => (await import('../commands/account.ts')).login)),

  logout: (command, act) =>
    command
      .summary('forget the key of a service')
      .action(act(async () => (await import('../commands/account.ts')).logout)),

  whoami: (command, act) =>
    command
      .summary('what the credential is and what it may use')
      .action(act(async () => (await import('../commands/account.ts')).whoami)),
};
