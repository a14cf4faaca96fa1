import { markdownBlock, markdownInline } from '../../report/escape.ts';
import { markdownReport, pageLink } from '../../report/markdown.ts';
import { excerptsMarkdown } from '../../report/review/excerpts.ts';
import type { Report } from '../../report/types.ts';
import type { View } from './view.ts';

const MARKS: Readonly<Record<View['ending']['verdict'], string>> = {
  ...{ cleared: '✅', aborted: '❌', inconclusive: '⚠️', error: '⚠️', skipped: '⏭️' },
};

/** For a comment or the job's summary: as much as fits. */
export function runMarkdown(view: View, fits: (text: string) => boolean): string {
  const { report, isKeysOnly, job } = view;
  const short = shortBodyOf(view);
  if (report === undefined) return fits(short) ? short : '';
  const excerpts = isKeysOnly || !job.isPrivate ? '' : excerptsMarkdown(report);
  const texts = [bodyOf(view, report, excerpts), bodyOf(view, report, ''), short, ''];
  return texts.find(fits) ?? '';
}

function bodyOf({ isKeysOnly, job }: View, report: Report, excerpts: string): string {
  const left = isKeysOnly ? 'Reasons are not shown here: see the run, or the input details.' : '';
  const parts = [markdownReport(report).trimEnd(), excerpts, left, footerOf({ job })];
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** Without details. */
const shortBodyOf = ({ ending, suite, job, page }: View): string =>
  endingMarkdown({ ending, title: suite, job, page, without: 'no verdict' });

/** How a step ended that has nothing else to report. `without`: what an error keeps it from. */
export function endingMarkdown({ ending, title, job, page, without }: Ended): string {
  const { verdict, message } = ending;
  const mark = MARKS[verdict];
  const word = verdict === 'error' ? without : verdict;
  const said = message === undefined ? [] : [markdownBlock(message)];
  const parts = [
    `### ${mark} ${markdownInline(title || 'evalgate')}`,
    `**${word}**`,
    ...said,
    ...(page === undefined ? [] : [pageLink(page)]),
    footerOf({ job }),
  ];
  return parts.join('\n\n').concat('\n');
}

interface Ended extends Pick<View, 'ending' | 'job'> {
  readonly title: string;
  readonly page?: string | undefined;
  readonly without: string;
}

const footerOf = ({ job }: Pick<View, 'job'>): string =>
  `commit ${markdownInline(job.sha)}, [the job](<${job.url}>)`;
