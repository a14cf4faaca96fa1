import { expect, test } from '@jest/globals';
import { PLANS } from '../../shared/contracts/auth.ts';
import { ERROR_STATUS } from '../../shared/contracts/base/errors.ts';
import { API_KEYS_MAX, PLAN } from '../../shared/domain/plans.ts';
import { RATE_LIMITS } from '../../shared/domain/rateLimits.ts';
import { templates } from '../../shared/domain/templates/index.ts';
import { scorers } from '../../shared/scoring/registry.ts';
import { readPage } from './pages.ts';

/** The rows of a page's table below its heading, without head and ruler: cells without backticks. */
function rowsOf(file: string, heading: string): string[][] {
  const [, section = ''] = readPage(file).text.split(`# ${heading}\n`);
  const lines =
    section
      .split(/^#/m)[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|')) ?? [];
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const grouped = (value: number): string => value.toLocaleString('en-US');

test('the plans of the README are those that the service applies', () => {
  const rows = PLANS.map((plan) => {
    const { name, monthlyRuns, retentionDays, overage, hasAnalytics } = PLAN[plan];
    const price = typeof overage === 'object' ? overage.pricePer1000 : 0;
    const beyond = { blocked: '402 USAGE_LIMIT_EXCEEDED', none: '' };
    return [
      name,
      Number.isFinite(monthlyRuns) ? grouped(monthlyRuns) : 'unlimited',
      `${retentionDays} days`,
      typeof overage === 'object'
        ? `$${price % 1 === 0 ? price : price.toFixed(2)} per 1,000 runs`
        : beyond[overage],
      grouped(API_KEYS_MAX[plan]),
      hasAnalytics ? 'yes' : 'no',
    ];
  });
  expect(rowsOf('README.md', 'Plans and limits')).toEqual(rows);
});

test('the rate limits of the README are those that the service applies', () => {
  const { general, auth } = RATE_LIMITS;
  expect(readPage('README.md').text).toContain(
    `send ${general.requests} requests in any ${general.windowMs / 1_000} seconds, and ${auth.requests} in any ${auth.windowMs / 60_000} minutes to`,
  );
});

test('docs/errors.md explains every error code, with its status', () => {
  const rows = rowsOf('docs/errors.md', 'Refused requests').map(([code, status]) => [code, status]);
  expect(rows.sort()).toEqual(
    Object.entries(ERROR_STATUS)
      .map(([code, status]) => [code, String(status)])
      .sort(),
  );
});

const types = scorers.map(({ type }) => type);
test.each([
  ['README.md', 'Scorers', types],
  ['docs/scorers.md', 'Config', types],
  [
    'docs/scorers.md',
    'Precision and recall',
    scorers.filter(({ isOneSided }) => !isOneSided).map(({ type }) => type),
  ],
])('%s, "%s", has a row for every type of scorer that it is about', (file, heading, expected) => {
  const described = rowsOf(file, heading).map(([type]) => type);
  expect(described.sort()).toEqual(expected.toSorted());
});

test('docs/suites.md has every template, with the numbers of its cases', () => {
  const rows = rowsOf('docs/suites.md', 'Projects, suites and cases').map(([slug, , judged, others]) => [
    slug,
    Number(judged),
    Number(others),
  ]);
  const counted = templates.map(({ slug, cases }) => {
    const judged = cases.filter(({ scorer_type }) => scorer_type === 'llm_judge').length;
    return [slug, judged, cases.length - judged];
  });
  expect(rows).toEqual(counted);
});
