import path from 'node:path';
import { slugOf } from '../../../suites/imports/keys.ts';
import { importTable } from '../../../suites/table/import.ts';
import type { Format } from '../../../suites/table/rows.ts';
import { SCORERS, type ScorerName } from '../../../suites/table/scorers.ts';
import type { Handler } from '../../context.ts';
import { readText } from '../../input/readText.ts';
import { Problem } from '../../problem.ts';
import { finishImport, type ImportOptions, placeOfImport, readImport } from './finishImport.ts';
import { judgeOf } from './importPromptfoo.ts';

interface TableImportOptions extends ImportOptions {
  readonly question?: string;
  readonly expected?: string;
  readonly key?: string;
  readonly tags?: string;
  readonly scorer?: string;
  readonly judge?: string;
}

const DEFAULTS =
  'Compared by similarity, which has to be 0.5, and every case has to pass: --scorer names another one, pass_threshold a share';
const EXAMPLE = 'Such as --question question --expected answer';

/** Writes a suite of questions and expected answers. */
const importFrom =
  (format: Format): Handler<TableImportOptions> =>
  async (context, [file = ''], options) => {
    const { question, expected, key, tags } = options;
    if (question === undefined || expected === undefined)
      throw new Problem('Give the fields of questions and of expected answers.', EXAMPLE);
    const scorer = scorerOf(options.scorer);
    const judge = judgeOf(options.judge);
    if (scorer === 'judge' && judge === undefined)
      throw new Problem('--scorer judge needs a model that judges.', 'Such as --judge openai/gpt-5');
    if (scorer !== 'judge' && judge !== undefined)
      throw new Problem('--judge goes with --scorer judge only.', 'Leave it out, or add --scorer judge.');
    const place = placeOfImport(context, file);
    const text = await readText(context.io, file);
    const slug = slugOf(path.parse(place.absolute).name, 60) || 'imported';
    const imported = await readImport(context, file, (problems) =>
      importTable(
        text,
        { ...{ format, file: place.name, slug, question, expected, key, tags, scorer, judge } },
        problems,
      ),
    );
    return finishImport(context, imported, {
      ...options,
      place,
      hint: options.scorer === undefined ? DEFAULTS : undefined,
    });
  };

export const importFromJsonl = importFrom('jsonl');
export const importFromCsv = importFrom('csv');

function scorerOf(given = 'similarity'): ScorerName {
  const known = SCORERS.find((name) => name === given);
  if (known !== undefined) return known;
  throw new Problem(`--scorer ${given} is not known.`, `Which there are: ${SCORERS.join(', ')}`);
}
