import path from 'node:path';
import { Problems } from '../../../files/read/problems.ts';
import { readYaml } from '../../../files/read/readYaml.ts';
import { slugOf } from '../../../importers/imports/keys.ts';
import { type Criteria, criteriaOf } from '../../../importers/openai/criteria.ts';
import { importEvals } from '../../../importers/openai/import.ts';
import type { Context, Handler } from '../../context.ts';
import { readText } from '../../input/readText.ts';
import { stopAtErrors } from '../../output/problems.ts';
import { Problem } from '../../problem.ts';
import { finishImport, type ImportOptions, placeOfImport, readImport } from './finishImport.ts';
import { judgeOf } from './importPromptfoo.ts';

interface EvalsImportOptions extends ImportOptions {
  readonly criteria?: string;
  readonly eval?: string;
  readonly judge?: string;
}

const CRITERIA =
  'Samples with `item` need the definition of the eval, which has its graders: --criteria eval.json';

/** Writes a suite of samples of OpenAI's evals, and a report of what it can't map. Nothing is executed. */
export const importFromEvals: Handler<EvalsImportOptions> = async (context, [file = ''], options) => {
  const judge = judgeOf(options.judge);
  const place = placeOfImport(context, file);
  const criteria = await criteriaIn(context, options, place.absolute);
  const text = await readText(context.io, file);
  const slug = slugOf(path.parse(place.absolute).name, 60) || 'imported';
  const imported = await readImport(context, file, (problems) =>
    importEvals(text, { file: place.name, slug, criteria, judge }, problems),
  );
  return finishImport(context, imported, {
    ...options,
    place,
    hint: imported.cases.length === 0 && criteria === undefined ? CRITERIA : undefined,
  });
};

/** JSON is YAML, too. */
async function criteriaIn(
  { io, terminal }: Context,
  { criteria: file, eval: name }: EvalsImportOptions,
  data: string,
): Promise<Criteria | undefined> {
  if (file === undefined && name === undefined) return undefined;
  if (file === undefined)
    throw new Problem('--eval names an eval of a file.', 'Give the file, too: --criteria evals.yaml');
  const problems = new Problems();
  const document = readYaml(file, await readText(io, file), problems);
  stopAtErrors(problems, terminal);
  const criteria = criteriaOf(document?.value, { data, name });
  if (criteria === undefined)
    throw new Problem(
      `${file} holds no criteria of an eval.`,
      'Name its definition with `testing_criteria`, a list of graders, or a file of evals/registry/evals.',
    );
  if (!('several' in criteria)) return criteria;
  const why =
    name === undefined
      ? `names ${path.basename(data)} as the samples of no eval, or of several`
      : `has no eval ${name}`;
  throw new Problem(`${file} ${why}.`, `Name one by --eval. Which there are: ${criteria.several.join(', ')}`);
}
