import { markdownBlock, markdownInline } from '../../report/escape.ts';
import { markdownReport } from '../../report/markdown.ts';
import { counted } from '../../report/numbers.ts';
import { labelOf } from '../../report/results.ts';
import type { Report } from '../../report/types.ts';
import type { View } from './view.ts';

const MARKS = { error: '⚠️', skipped: '⏭️' } as const;
const PASSED_CHARACTERS = [400_000, 40_000, 0];

/** For a comment: it says what keeps the gate shut. */
export const commentMarkdown = (view: View, charactersMax: number): string =>
  fitting([bodyOf(view), shortBodyOf(view)], (text) => text.length <= charactersMax);

/** For the job's summary: it also names the cases that passed. */
export function summaryMarkdown(view: View, bytesMax: number): string {
  const { report } = view;
  const passed = report ? PASSED_CHARACTERS.map((max) => passedPart(report, max)) : [''];
  const all = passed.map((part) => bodyOf(view) + part);
  return fitting([...all, shortBodyOf(view), ''], (text) => Buffer.byteLength(text) <= bytesMax);
}

const fitting = (texts: readonly string[], fits: (text: string) => boolean): string =>
  texts.find(fits) ?? texts.at(-1) ?? '';

function bodyOf(view: View): string {
  const { report, isKeysOnly } = view;
  if (report === undefined) return shortBodyOf(view);
  const left = isKeysOnly ? ['Reasons are not shown here: see the run, or the input details.'] : [];
  return [markdownReport(report).trimEnd(), ...left, footerOf(view)].join('\n\n').concat('\n');
}

/** Without details. */
const shortBodyOf = ({ ending, suite, job }: View): string =>
  endingMarkdown({ ending, title: suite, job, without: 'no verdict' });

/** How a step ended that has nothing else to report. `without`: what an error keeps it from. */
export function endingMarkdown({ ending, title, job, without }: Ended): string {
  const { verdict, message } = ending;
  const mark = MARKS[verdict as keyof typeof MARKS] ?? '';
  const word = verdict === 'error' ? without : verdict;
  const said = message === undefined ? [] : [markdownBlock(message)];
  const parts = [`### ${mark} ${markdownInline(title)}`, `**${word}**`, ...said, footerOf({ job })];
  return parts.join('\n\n').concat('\n');
}

interface Ended extends Pick<View, 'ending' | 'job'> {
  readonly title: string;
  readonly without: string;
}

const footerOf = ({ job }: Pick<View, 'job'>): string =>
  `commit ${markdownInline(job.sha)}, [the job](<${job.url}>)`;

function passedPart({ results }: Report, charactersMax: number): string {
  const passed = results.filter((result) => result.passed);
  if (passed.length === 0) return '';
  let length = 0;
  const names = passed
    .map((result) => labelOf(result).replace(/\s+/g, ' '))
    .filter((name) => {
      length += name.length + 1;
      return length <= charactersMax;
    });
  const more = passed.length > names.length ? `\n\nand ${passed.length - names.length} more` : '';
  const block = names.length === 0 ? '' : `${markdownBlock(names.join('\n'))}`;
  return `\n<details><summary>${counted(passed.length, 'case')} passed</summary>\n\n${block}${more}\n\n</details>\n`;
}
