import path from 'node:path';
import { judgeNamed } from '../../../importers/imports/judges.ts';
import { slugOf } from '../../../importers/imports/keys.ts';
import type { Judge } from '../../../importers/imports/types.ts';
import { importTable } from '../../../importers/table/import.ts';
import type { Format } from '../../../importers/table/rows.ts';
import { SCORERS, type ScorerName } from '../../../importers/table/scorers.ts';
import type { Context, Handler } from '../../context.ts';
import { readText } from '../../input/readText.ts';
import type { Io } from '../../io.ts';
import { askText, askWhich } from '../../output/ask.ts';
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
  'Compared by exact_match: an output passes if it is the expected text to the letter, and every case has to pass. --scorer similarity also takes other words around the same numbers, --scorer contains more text, --scorer judge what a model finds to mean the same';
const EXAMPLE = 'Such as --question question --expected answer';

/** Writes a suite of questions and expected answers. */
const importFrom =
  (format: Format): Handler<TableImportOptions> =>
  async (context, [file = ''], options) => {
    const { question, expected, key, tags } = options;
    if (question === undefined || expected === undefined)
      throw new Problem('Give the fields of questions and of expected answers.', EXAMPLE);
    const { scorer, judge, isDefault } = await comparisonOf(context, options);
    const place = placeOfImport(context, file);
    const text = await readText(context.io, file);
    const slug = slugOf(path.parse(place.absolute).name, 60) || 'imported';
    const imported = await readImport(context, file, (problems) =>
      importTable(
        text,
        { format, file: place.name, slug, question, expected, key, tags, scorer, judge },
        problems,
      ),
    );
    return finishImport(context, imported, {
      ...options,
      place,
      hint: isDefault ? DEFAULTS : undefined,
    });
  };

export const importFromJsonl = importFrom('jsonl');
export const importFromCsv = importFrom('csv');

interface Comparison {
  readonly scorer: ScorerName;
  readonly judge: Judge | undefined;
  /** Whether it is the default, which no user chose. */
  readonly isDefault: boolean;
}

/** By options; else by an answer at the terminal; else what no wrong answer passes. */
async function comparisonOf(
  { io, terminal }: Context,
  options: Pick<TableImportOptions, 'scorer' | 'judge'>,
): Promise<Comparison> {
  const given = judgeOf(options.judge);
  const isChosen = options.scorer === undefined && given === undefined && terminal.canAsk;
  const scorer = isChosen ? await chooseScorer(io) : scorerOf(options.scorer);
  const judge = given ?? (isChosen && scorer === 'judge' ? await chooseJudge(io) : undefined);
  if (scorer === 'judge' && judge === undefined)
    throw new Problem('--scorer judge needs a model that judges.', 'Such as --judge openai/gpt-5');
  if (scorer !== 'judge' && judge !== undefined)
    throw new Problem('--judge goes with --scorer judge only.', 'Leave it out, or add --scorer judge.');
  return { scorer, judge, isDefault: options.scorer === undefined && !isChosen };
}

const CHOICES: ReadonlyMap<string, ScorerName> = new Map([
  ['it is the same text', 'exact_match'],
  ['it has the same numbers and about the same words', 'similarity'],
  ['a model judges that it means the same', 'judge'],
]);

async function chooseScorer(io: Io): Promise<ScorerName> {
  const chosen = await askWhich(io, 'An answer passes if', [...CHOICES.keys()]);
  return CHOICES.get(chosen) ?? 'exact_match';
}

const chooseJudge = async (io: Io): Promise<Judge | undefined> =>
  judgeOf(
    await askText(io, 'Which model judges', {
      usual: 'openai',
      whyNot: (typed) =>
        judgeNamed(typed) === undefined ? 'Write such as openai/gpt-5 or anthropic.' : undefined,
    }),
  );

function scorerOf(given = 'exact_match'): ScorerName {
  const known = SCORERS.find((name) => name === given);
  if (known !== undefined) return known;
  throw new Problem(`--scorer ${given} is not known.`, `Which there are: ${SCORERS.join(', ')}`);
}
