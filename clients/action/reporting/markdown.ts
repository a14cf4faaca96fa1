import { markdownBlock, markdownInline } from '../../gate/report/escape.ts';
import { markdownReport, pageLink } from '../../gate/report/markdown.ts';
import { excerptsMarkdown } from '../../gate/report/review/excerpts.ts';
import type { Report } from '../../gate/report/types.ts';
import type { View } from './view.ts';

/** By what the step does: GitHub shows a check or a cross beside it. */
function markOf({ verdict, isFailure }: View['ending']): string {
  if (isFailure) return '❌';
  return verdict === 'cleared' ? '✅' : verdict === 'skipped' ? '⏭️' : '⚠️';
}

const SHA_SHOWN = 7;
export const shortSha = (sha: string): string => sha.slice(0, SHA_SHOWN);

/** For a comment or the job's summary: as much as fits. */
export function runMarkdown(view: View, fits: (text: string) => boolean): string {
  const { report, isKeysOnly, job } = view;
  const short = shortBodyOf(view);
  if (report === undefined) return fits(short) ? short : '';
  const excerpts = isKeysOnly || !job.isPrivate ? '' : excerptsMarkdown(report);
  const texts = [bodyOf(view, report, excerpts), bodyOf(view, report, ''), short, ''];
  return texts.find(fits) ?? '';
}

function bodyOf({ isKeysOnly, job, ending }: View, report: Report, excerpts: string): string {
  const left = isKeysOnly ? 'Reasons are not shown here: see the run, or the input details.' : '';
  const { run } = report;
  // A waiver that does not count is not shown as one.
  const shown = ending.isWaived ? report : { ...report, run: { ...run, waiver: null } };
  const parts = [markdownReport(shown, !ending.isFailure).trimEnd(), excerpts, left, footerOf({ job })];
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
  const word = verdict === 'error' ? without : verdict;
  const shown = message === undefined ? [] : [markdownBlock(message)];
  const parts = [
    `### ${markOf(ending)} ${title === '' ? 'evalgate' : `${markdownInline(title)} (evalgate)`}`,
    `**${word}**`,
    ...shown,
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
  `commit ${markdownInline(shortSha(job.sha))}, [the job](<${job.url}>)`;
