import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_DIR } from '../../test/support/processes.ts';
import { timeOf } from './commands.ts';

/** The command of promptfoo, where it is installed. */
export function findPromptfoo(): string | undefined {
  const folders = [
    path.join(REPOSITORY_DIR, 'node_modules/.bin'),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  return folders.map((folder) => path.join(folder, 'promptfoo')).find((file) => existsSync(file));
}

/** How long it takes to score as many cases, whose outputs it makes itself without a model. */
export function timeOfPromptfoo(command: string, folder: string, cases: number): number {
  const tests = Array.from({ length: cases }, (_, index) => ({
    vars: { item: index },
    assert: [{ type: 'contains', value: '30 days' }],
  }));
  const config = { prompts: ['Within 30 days: {{item}}'], providers: ['echo'], tests };
  writeFileSync(path.join(folder, 'promptfoo.json'), JSON.stringify(config));
  const flags = ['--no-cache', '--no-write', '--no-table', '--no-progress-bar'];
  return timeOf(command, ['eval', '-c', 'promptfoo.json', ...flags], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: path.join(folder, 'home'),
      PROMPTFOO_CONFIG_DIR: path.join(folder, 'promptfoo'),
      PROMPTFOO_DISABLE_TELEMETRY: '1',
      PROMPTFOO_DISABLE_UPDATE: '1',
    },
  });
}
