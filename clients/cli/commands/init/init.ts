import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SLUG } from '../../../files/config/configFile.ts';
import { CONFIG_FILE } from '../../../files/disk/repository.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import type { Context, Handler } from '../../context.ts';
import { Problem, systemReason } from '../../problem.ts';
import { readProjectFile } from '../../settings/projectFile.ts';
import { CONFIG_TEXT, configText, scalar, suiteText } from './initTexts.ts';
import { type InitPlace, placeOf } from './place.ts';
import { suiteOf, suitesIn } from './suites.ts';
import { gateWorkflow, pushWorkflow, workflowFacts, workflowNotes } from './workflows.ts';

export interface InitOptions {
  /** Slug of a template of the service. */
  readonly template?: string;
  readonly suite: boolean;
  readonly createProject?: boolean;
  readonly offline?: boolean;
  /** Writes workflows, too. */
  readonly github?: boolean;
  readonly push?: boolean;
}

/** Writes the first files. What is there stays as it is. */
export const init: Handler<InitOptions> = async (context, [given], options) => {
  const { io, terminal } = context;
  const { template, github = false, push: withPush = false, offline = false } = options;
  const there = await suitesIn(io.cwd);
  const { suite, isNew } = suiteOf(there, given ?? template, options);
  checkGiven(suite, options);
  // Before it asks for anything.
  const suites = isNew ? [[`evals/${suite}.suite.yaml`, await firstSuite(suite, template)] as const] : [];
  const place = offline ? undefined : await placeOf(context, options.createProject ?? false);
  const facts = workflowFacts(suite, place?.url);
  const files = [
    [CONFIG_FILE, place === undefined ? CONFIG_TEXT : configText(place)] as const,
    ...suites,
    ...workflowsOf(facts, { github, withPush }),
  ];
  writeAll(context, files, place);
  if (github) for (const line of workflowNotes(io.cwd, facts, { place, withPush })) terminal.say(line);
  terminal.say(nextStep({ suite, isNew, isThere: there.length > 0, offline }));
  return EXIT.done;
};

function checkGiven(suite: string, { github, push }: InitOptions): void {
  if (!SLUG.test(suite)) {
    throw new Problem(
      `${suite} is no slug of a suite.`,
      'It has lower-case letters, digits, "-" and "_", and at most 100 characters.',
    );
  }
  if (push && !github) throw new Problem('--push writes a workflow.', 'Give --github, too.');
}

const workflowsOf = (
  facts: ReturnType<typeof workflowFacts>,
  { github, withPush }: { readonly github: boolean; readonly withPush: boolean },
) => [
  ...(github ? [['.github/workflows/gate.yml', gateWorkflow(facts)] as const] : []),
  ...(withPush ? [['.github/workflows/push.yml', pushWorkflow(facts)] as const] : []),
];

const firstSuite = async (suite: string, template: string | undefined): Promise<string> =>
  template === undefined ? suiteText(suite) : templateText(suite, template);

interface Written {
  readonly suite: string;
  readonly isNew: boolean;
  /** Whether there was a suite before. */
  readonly isThere: boolean;
  readonly offline: boolean;
}

function nextStep({ suite, isNew, isThere, offline }: Written): string {
  if (!isNew && !isThere)
    return 'Next: evalgate import jsonl <file> --question <field> --expected <field>, evalgate import promptfoo <config> or evalgate import traces <file>';
  const first = offline ? 'evalgate validate, then evalgate try' : 'evalgate push, then evalgate run';
  return `Next: ${first} ${suite} ${isNew ? '--output' : '--outputs'} <file>`;
}

/** The file that stays may name nothing, or something else. */
function warnOfOthers({ io, terminal }: Context, place: InitPlace): void {
  const file = readProjectFile(io);
  const differing = (['url', 'organisation', 'project'] as const).filter(
    (name) => file[name] !== place[name],
  );
  if (differing.length > 0)
    terminal.warn(`${CONFIG_FILE} lacks ${differing.map((name) => `${name}: ${place[name]}`).join(', ')}`);
}

async function templateText(suite: string, template: string): Promise<string> {
  const { suiteBody, TEMPLATES } = await import('../../templates.ts');
  const known = TEMPLATES.get(template);
  if (known !== undefined) return `version: 1\nsuite: ${scalar(suite)}\n${suiteBody(known)}`;
  throw new Problem(
    `There is no template ${template}.`,
    `Which there are: ${[...TEMPLATES.keys()].join(', ')}`,
  );
}

function writeAll(
  context: Context,
  files: readonly (readonly [name: string, text: string])[],
  place: InitPlace | undefined,
): void {
  for (const [name, text] of files) {
    const isWritten = write(context.io.cwd, name, text) || filled(context.io.cwd, name, text);
    context.terminal.say(`${isWritten ? 'wrote' : 'kept'} ${name}`);
    if (!isWritten && name === CONFIG_FILE && place !== undefined) warnOfOthers(context, place);
  }
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

/** What `init --offline` and imports write names no service: it is written over unless it was changed. */
function filled(cwd: string, name: string, text: string): boolean {
  const file = path.join(cwd, name);
  if (name !== CONFIG_FILE || text === CONFIG_TEXT || readFileSync(file, 'utf8') !== CONFIG_TEXT)
    return false;
  writeFileSync(file, text);
  return true;
}

const unwritable = (name: string, error: unknown): Problem =>
  new Problem(`${name} can't be written: ${systemReason(error)}.`, 'Change that, then run this again.');
