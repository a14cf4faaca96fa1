import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { Evalgate } from '../../clients/sdk/index.ts';
import { type Api, api } from '../../test/support/api.ts';
import { makeProject } from '../../test/support/builders.ts';
import { CHROMIUM, launchBrowser, PAGE_HANG_MS } from '../../test/support/chromium.ts';
import { median, type Row } from '../result.ts';

interface Sizes {
  readonly rounds: number;
  readonly warmUps: number;
  /** Results of the run that is opened beside one of `FEW`. */
  readonly results: number;
}

const FEW = 10;
const VERDICT_RATIO_MAX = 1.5;
const FIRST_PAINT_MS_MAX = 1_000;
const TASK_MS_MAX = 400;
const NODES_MAX = 2_000;

/** An aborted run: every other case fails, each for a reason of its own, and did not in the suite's baseline. */
async function seedRun(client: Api, project: string, results: number): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await client('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const suite = `of-${results}`;
  const cases = Array.from({ length: results }, (_, index) => ({
    key: `case-${index}`,
    name: `How do I send item ${index} back?`,
    input: {},
    expected: `You can return item ${index} within 30 days.`,
    scorer: 'agreed',
    tags: ['returns'],
  }));
  const scorers = { agreed: { type: 'exact_match', config: {} } };
  const path = `/v1/projects/${project}/suites/${suite}`;
  const definition = { version: 1, suite, scorers, cases };
  const { status, body } = await client('PUT', `${path}/definition`, { definition });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  const run = (outputOf: (expected: string, index: number) => string) =>
    post('/v1/run', {
      suite,
      project,
      outputs: cases.map(({ key, expected }, index) => ({ case: key, output: outputOf(expected, index) })),
    });
  const before = await run((expected) => expected);
  const { id } = (await client('GET', path)).body.data;
  await post(`/v1/suites/${id}/baselines`, { run_ids: [before.id] });
  return (await run((expected, index) => (index % 2 === 0 ? expected : `Item ${index}: 14 days.`))).id;
}

/** Runs before the scripts of the page. A browser reports tasks of 50 ms and more. */
const WATCH = `(() => {
  const noted = (globalThis.noted = { longestTaskMs: 0 });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.longestTaskMs = Math.max(noted.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (document.querySelector('.verdict-headline')) noted.verdictMs ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
})()`;
const NOTED = `({ ...noted,
  nodes: document.querySelectorAll('*').length,
  firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime })`;

interface Opened {
  readonly verdictMs: number;
  readonly firstPaintMs: number;
  readonly longestTaskMs: number;
  readonly nodes: number;
}

/** A person who has never been there opens the page of the run. */
async function openRun(browser: Browser, { url, key }: Account, run: string): Promise<Opened> {
  const localStorage = [{ name: 'evalgate.signed-in', value: '1' }];
  const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
  const context = await browser.newContext({ storageState });
  context.setDefaultTimeout(PAGE_HANG_MS);
  try {
    const headers = { authorization: `Bearer ${key}` };
    await context.request.post(`${url}/v1/auth/session`, { headers, data: {} });
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    await page.goto(`${url}/app/runs/${run}`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Compare with the baseline' }).waitFor();
    return await page.evaluate(NOTED);
  } finally {
    await context.close();
  }
}

interface Account {
  readonly url: string;
  readonly key: string;
}

/** A page of many results beside one of few, in Chromium, in turn, so that other load on the machine affects both alike. */
export async function runPageRows(url: string, { rounds, warmUps, results }: Sizes): Promise<Row[]> {
  if (!existsSync(CHROMIUM)) return [];
  const { api_key } = await new Evalgate({ url }).auth.signup({ name: 'With a browser' });
  const account = { url, key: api_key.key };
  const client = api(url, account.key, () => {});
  const { slug } = await makeProject(client);
  const [few, many] = [await seedRun(client, slug, FEW), await seedRun(client, slug, results)];
  const opened: { few: Opened; many: Opened }[] = [];
  const browser = await launchBrowser();
  try {
    for (let round = -warmUps; round < rounds; round++) {
      const both = { few: await openRun(browser, account, few), many: await openRun(browser, account, many) };
      if (round >= 0) opened.push(both);
    }
  } finally {
    await browser.close();
  }
  return rowsOf(results, opened);
}

function rowsOf(results: number, opened: readonly { readonly few: Opened; readonly many: Opened }[]): Row[] {
  const page = `run page of ${results} results`;
  const medianOf = (figure: keyof Opened, size: 'few' | 'many' = 'many') =>
    median(opened.map((both) => both[size][figure]));
  return [
    { metric: `run page of ${FEW} results, verdict shown`, value: medianOf('verdictMs', 'few'), unit: 'ms' },
    { metric: `${page}, verdict shown`, value: medianOf('verdictMs'), unit: 'ms' },
    {
      metric: `${page}, verdict shown / of ${FEW} results`,
      value: median(opened.map(({ few, many }) => many.verdictMs / few.verdictMs)),
      unit: 'ratio',
      bound: { atMost: VERDICT_RATIO_MAX },
    },
    {
      metric: `${page}, first paint`,
      value: medianOf('firstPaintMs'),
      unit: 'ms',
      bound: { atMost: FIRST_PAINT_MS_MAX },
    },
    {
      metric: `${page}, longest task`,
      value: medianOf('longestTaskMs'),
      unit: 'ms',
      bound: { atMost: TASK_MS_MAX },
    },
    { metric: `${page}, elements`, value: medianOf('nodes'), unit: 'count', bound: { atMost: NODES_MAX } },
  ];
}
