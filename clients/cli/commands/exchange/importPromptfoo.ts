import path from 'node:path';
import { JUDGE_MISSING, JUDGE_UNKNOWN, judgeNamed } from '../../../importers/imports/judges.ts';
import { slugOf } from '../../../importers/imports/keys.ts';
import type { Judge } from '../../../importers/imports/types.ts';
import { importPromptfoo } from '../../../importers/promptfoo/import.ts';
import type { Handler } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { finishImport, type ImportOptions, placeOfImport, readImport } from './finishImport.ts';

interface PromptfooOptions extends ImportOptions {
  readonly judge?: string;
}

/** Writes a suite that judges as a config of promptfoo does, and a report of what it can't. Nothing is executed. */
export const importFromPromptfoo: Handler<PromptfooOptions> = async (context, [config = ''], options) => {
  const place = placeOfImport(context, config);
  const judge = judgeOf(options.judge);
  const { absolute, name, repository } = place;
  const imported = await readImport(context, config, (problems) =>
    importPromptfoo(repository, { config: name, slug: slugFor(absolute), judge }, problems),
  );
  return finishImport(context, imported, { ...options, place, hint: hintOf(imported.report.missing) });
};

/** The one option that maps what has no judge. */
function hintOf(
  missing: readonly { readonly reason: string; readonly assertions: number }[],
): string | undefined {
  const count = missing
    .filter(({ reason }) => reason === JUDGE_MISSING || reason === JUDGE_UNKNOWN)
    .reduce((sum, { assertions }) => sum + assertions, 0);
  if (count === 0) return undefined;
  const what = count === 1 ? '1 assertion needs' : `${count} assertions need`;
  return `${what} a model that judges: import again with --judge openai/gpt-5, or with another provider and model`;
}

export function judgeOf(text: string | undefined): Judge | undefined {
  if (text === undefined) return undefined;
  const judge = judgeNamed(text);
  if (judge !== undefined) return judge;
  throw new Problem(
    '--judge names no provider that is known.',
    'Write such as openai, or anthropic/claude-sonnet-5-5.',
  );
}

/** After its file, or after its folder where the file has promptfoo's own name. */
function slugFor(absolute: string): string {
  const { name, dir } = path.parse(absolute);
  const givenName = name.replace(/^\.?promptfoo-?config\b/i, '');
  return slugOf(givenName === name ? name : `${path.basename(dir)} ${givenName}`, 60) || 'imported';
}
