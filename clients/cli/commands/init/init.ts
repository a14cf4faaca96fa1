import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SLUG } from '../../../suites/config/configFile.ts';
import type { Handler } from '../../context.ts';
import { EXIT } from '../../exitCodes.ts';
import { Problem, systemReason } from '../../problem.ts';
import { CONFIG_TEXT, gateText, suiteText } from './initTexts.ts';

export interface InitOptions {
  /** Slug of a template of the service. */
  readonly template?: string;
  /** Writes a workflow, too. */
  readonly github?: boolean;
}

const IN_THE_WORKFLOW =
  'In gate.yml put your service, organisation (evalgate whoami) and program; once: evalgate trust <owner/repo> --workflow gate.yml';

/** Writes the first files. What is there stays as it is. */
export const init: Handler<InitOptions> = async ({ io, terminal }, [given], { github = false, template }) => {
  const suite = given ?? template ?? 'returns';
  if (!SLUG.test(suite)) {
    throw new Problem(
      `${suite} is no slug of a suite.`,
      'It has lower-case letters, digits, "-" and "_", and at most 100 characters.',
    );
  }
  const text = template === undefined ? suiteText(suite) : await templateText(suite, template);
  const files: [string, string][] = [
    ['evalgate.yaml', CONFIG_TEXT],
    [`evals/${suite}.suite.yaml`, text],
    ...(github ? [['.github/workflows/gate.yml', gateText(suite)] as [string, string]] : []),
  ];
  for (const [name, content] of files) {
    const isWritten = write(io.cwd, name, content);
    terminal.say(`${isWritten ? 'wrote' : 'kept'} ${name}`);
  }
  if (github) terminal.say(IN_THE_WORKFLOW);
  terminal.say(`Next: evalgate validate, then evalgate try ${suite} --output <file>`);
  return EXIT.done;
};

async function templateText(suite: string, template: string): Promise<string> {
  const { TEMPLATES } = await import('../../generated/templates.ts');
  const body = Object.hasOwn(TEMPLATES, template) ? TEMPLATES[template] : undefined;
  if (body !== undefined) return `version: 1\nsuite: ${suite}\n${body}`;
  throw new Problem(
    `There is no template ${template}.`,
    `Which there are: ${Object.keys(TEMPLATES).join(', ')}`,
  );
}

/** Never over a file that is there, not even one that appears in this moment. */
function write(cwd: string, name: string, text: string): boolean {
  const file = path.join(cwd, name);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw unwritable(name, error);
  }
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw unwritable(name, error);
  }
}

const unwritable = (name: string, error: unknown): Problem =>
  new Problem(`${name} can't be written: ${systemReason(error)}.`, 'Change that, then run this again.');
