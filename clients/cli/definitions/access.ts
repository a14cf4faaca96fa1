import { Option } from 'commander';
import type { TrustedIssuersCreateBody } from '../../sdk/index.ts';
import { type Definitions, repeated } from './act.ts';

const CI_PROVIDERS: readonly NonNullable<TrustedIssuersCreateBody['provider']>[] = [
  'gitlab',
  'buildkite',
  'circleci',
  'other',
];

/** Commands about credentials, and about what lets gates run: trusted issuers and keys of model providers. */
export const access: Definitions = {
  signup: (command, act) =>
    command
      .summary('create an organisation, save its first API key and print it once')
      .requiredOption('--name <organisation>', 'name of the organisation')
      .examples('evalgate signup --url https://gate.example.com --name "Octo Inc"')
      .action(act(async () => (await import('../commands/account.ts')).signup)),

  login: (command, act) =>
    command
      .summary('log in: in the browser, with an API key (--with-key), or in a CI job by its ID token')
      .option('--with-key', 'save an API key, typed or from stdin')
      .addOption(
        new Option(
          '--scope <scope>',
          'rights of a login in the browser, or of a CI job (run or suites); not with --with-key',
        ).choices(['run', 'read', 'suites', 'full']),
      )
      .examples(
        'evalgate login --url https://gate.example.com',
        'evalgate login --url https://gate.example.com --with-key < key.txt',
        'evalgate login --id-token-env EVALGATE_ID_TOKEN',
      )
      .action(act(async () => (await import('../commands/account.ts')).login)),

  logout: (command, act) =>
    command
      .summary('delete the saved login of a service')
      .action(act(async () => (await import('../commands/account.ts')).logout)),

  whoami: (command, act) =>
    command
      .summary('show the credential and what it may do')
      .action(act(async () => (await import('../commands/account.ts')).whoami)),

  projects(command, act) {
    command
      .summary('list projects, or create one')
      .helpCommand(false)
      .allowExcessArguments()
      .examples('evalgate projects', 'evalgate projects create "Support bot"')
      .action(act(async () => (await import('../commands/projects.ts')).projects));
    command
      .command('create')
      .summary('create a project')
      .argument('<name>', 'name of the project')
      .option('--slug <slug>', 'slug of the project, made of the name by default')
      .action(act(async () => (await import('../commands/projects.ts')).createProject));
  },

  trust: (command, act) =>
    command
      .summary('let CI jobs run gates, or push suites, without a stored key')
      .description(
        'Trusts the jobs of one GitHub repository, or, with --issuer and --claim, jobs of another CI system whose ID tokens hold these claims.',
      )
      .argument('[owner/repo]', 'the repository at GitHub')
      .addOption(
        new Option(
          '--scope <scope>',
          'suites: may also push; needs --project and one branch (GitHub: --ref and --workflow)',
        ).choices(['run', 'suites']),
      )
      .option(
        '--ref <ref>',
        'only jobs of this ref, such as refs/heads/main; pull requests have a different one',
      )
      .option('--workflow <file>', 'only jobs of this workflow file, such as gate.yml')
      .option(
        '--job-workflow-ref <file@ref>',
        'only jobs of this reusable workflow, in full: owner/name/.github/workflows/gate.yml@refs/heads/main',
      )
      .option('--environment <name>', 'only jobs of this environment')
      .option('--issuer <url>', 'the issuer of the ID tokens of another system, such as https://gitlab.com')
      .option(
        '--claim <name=value>',
        'a claim that the ID token must hold, such as project_id=4711; repeatable: all names must fit, of one name any value',
        repeated,
      )
      .addOption(
        new Option(
          '--provider <name>',
          'the CI system, if the address of its issuer does not show it, such as gitlab',
        ).choices(CI_PROVIDERS),
      )
      .option('--label <text>', 'what people call it')
      .examples(
        'evalgate trust octo-org/support-bot --workflow gate.yml --project support-bot',
        'evalgate trust octo-org/support-bot --scope suites --ref refs/heads/main --workflow push.yml',
        'evalgate trust --issuer https://gitlab.com --claim project_id=4711 --project support-bot',
      )
      .action(act(async () => (await import('../commands/trust.ts')).trust)),

  byok(command, act) {
    command
      .summary('API keys of model providers, for judges')
      .helpCommand(false)
      .examples('evalgate byok add openai --default < key.txt', 'evalgate byok list');
    command
      .command('add')
      .summary('store a key, typed or from stdin; with --project only for judges of that project')
      .argument('<provider>', 'openai, anthropic, google or azure_openai')
      .option('--name <name>', 'a name for the key')
      .option('--default', 'use it for all judges of the provider')
      .action(act(async () => (await import('../commands/byok.ts')).addByokKey));
    command
      .command('list')
      .summary('list the keys, without their secrets; with --project those of that project')
      .action(act(async () => (await import('../commands/byok.ts')).listByokKeys));
    command
      .command('test')
      .summary('check whether the provider accepts a key')
      .argument('<id>', 'id of the key')
      .option('--model <model>', "for azure_openai: '<endpoint>|<deployment>'")
      .action(act(async () => (await import('../commands/byok.ts')).testByokKey));
  },
};
