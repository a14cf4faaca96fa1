import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { useDashboard } from './support/dashboard.ts';
import { addresses, type Everything, seedEverything } from './support/everything.ts';
import { unfold, widerThan } from './support/looks.ts';

const MARKUP = '<script>hacked=1</script><img src=x onerror=hacked=1>';
/** Of each kind: markup, links, templates, direction, what is not seen, width, length, names of every object. */
const CORPUS = [
  MARKUP,
  `"'--></title></style></textarea></script><svg/onload=hacked=1>`,
  '[a](javascript:hacked=1) ![b](https://evil.example/b.png) javascript:hacked=1 //evil.example',
  `{{constructor.constructor('hacked=1')()}} \${hacked=1} <%= hacked=1 %> #{7*7} &lt;b&gt; &#60;b&#62;`,
  '\u202egnp.exe\u2066 admin \u2069\u200f\u061c\u200e',
  'a\u200b\u2060\ufeffb\u00ad\u{e0041}\u2028c',
  'W'.repeat(200),
  '\ufdfd'.repeat(100),
  `e${'\u0301'.repeat(150)}`,
  '👩‍👩‍👧‍👦'.repeat(18),
  '__proto__',
  '.',
] as const;
const LONG = 64 * 1_024;
const ANSI = '\u001b[31m\u001b]8;;https://evil.example\u0007red\u0000\u0085\r';
const OUTPUTS = [
  ...CORPUS,
  '',
  'W'.repeat(LONG),
  'a '.repeat(LONG / 2),
  '\n'.repeat(5_000),
  ANSI,
  `{"__proto__": ${JSON.stringify(CORPUS[1])}, "constructor": ${JSON.stringify(CORPUS[4])}, "": "${'W'.repeat(2_000)}"}`,
];

const HOSTILE = {
  name: (MARKUP + CORPUS[4] + 'W'.repeat(200)).slice(0, 200),
  sentence: CORPUS.join('\n').repeat(9).slice(0, 1_900).toWellFormed(),
  ofCases: OUTPUTS.map((text, index) => ({ name: CORPUS[index % CORPUS.length] ?? '', text })),
};

/** Elements that only markup out of a text would make, links that lead elsewhere, and what turns the direction. */
const FOUND = `(() => {
  const links = [...document.querySelectorAll('[href], [src], [action], [formaction], [xlink\\\\:href]')]
    .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? element.outerHTML)
    .filter((to) => !/^(\\/app(\\/|$|\\?)|\\/assets\\/[\\w-]+\\.(js|css)$|\\/guides#[a-z-]+$|#main$|data:image\\/svg|blob:|https:\\/\\/github\\.com\\/octo\\/support-bot(\\/|$))/.test(to));
  const turning = /[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f\\u061c]/;
  const shown = [document.title, ...[...document.querySelectorAll('*')].flatMap((element) => [
    ...[...element.attributes].filter(({ name }) => !['value', 'data-key'].includes(name)).map(({ value }) => value),
    ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data)])];
  return {
    hacked: 'hacked' in globalThis,
    made: [...document.querySelectorAll('main :is(script, style, img, iframe, object, embed, base, meta, link, video, audio)')].map(({ outerHTML }) => outerHTML),
    links,
    turning: shown.filter((text) => turning.test(text)).map((text) => text.slice(0, 100)),
  };
})()`;
const GOOD = { hacked: false, made: [], links: [], turning: [] };

describeInBrowser('texts of strangers', () => {
  const dashboard = useDashboard();
  let seeded: Everything;
  beforeAll(async () => {
    seeded = await seedEverything(HOSTILE);
  });

  const flawsOf = async (page: Page): Promise<object> => ({
    ...((await page.evaluate(FOUND)) as object),
    wider: [...(await widerThan(page, 360)), ...(await widerThan(page, 1_280))],
  });

  test('are texts on every page: nothing of them runs, links, loads, turns the direction or widens the page', async () => {
    const page = await dashboard.signIn(seeded.key);
    const found: Record<string, object> = {};
    const all = addresses().filter(({ isPublic }) => !isPublic);
    for (const { pattern, of } of all) {
      await dashboard.open(of(seeded));
      await dashboard.settle();
      await unfold(page);
      await dashboard.settle();
      found[pattern] = await flawsOf(page);
    }
    expect(found).toEqual(Object.fromEntries(all.map(({ pattern }) => [pattern, { ...GOOD, wider: [] }])));
  });

  test('are texts in every case of a run, opened', async () => {
    const page = await dashboard.signIn(seeded.key);
    await dashboard.open(`/app/runs/${seeded.run}?outcome=failed`);
    await dashboard.settle();
    const cases = page.locator('button.case[data-key]');
    for (const alike of await page.locator('.alike button.case').all()) await alike.click();
    await dashboard.settle();
    const count = await cases.count();
    expect(count).toBeGreaterThanOrEqual(OUTPUTS.length);
    const found: Record<number, object> = {};
    for (let index = 0; index < count; index++) {
      const one = cases.nth(index);
      if ((await one.getAttribute('aria-expanded')) === 'false') await one.click();
      await dashboard.settle();
      found[index] = await flawsOf(page);
    }
    expect(found).toEqual(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [index, { ...GOOD, wider: [] }])),
    );
    expect(await page.locator('main').innerText()).toContain(MARKUP);
  });

  test('are texts in the address of every page, too, whether what it names is there or not', async () => {
    dashboard.expectLine(/Failed to load resource/);
    const page = await dashboard.signIn(seeded.key);
    const text = encodeURIComponent(MARKUP + CORPUS[4] + 'W'.repeat(100));
    const query = [
      'case',
      'like',
      'q',
      'tag',
      'scorer',
      'made',
      'outcome',
      'sort',
      'page',
      'a',
      'b',
      'next',
      'code',
      'state',
      'iss',
    ]
      .map((name) => `${name}=${text}`)
      .join('&');
    const paths = addresses().flatMap(({ pattern, of }) => {
      const [path = ''] = of(seeded).split('?');
      return [path, path.replace(/(?<=^\/app\/.*)[^/]+$/, text), pattern.replaceAll(/:\w+/g, text)];
    });
    const found: Record<string, object> = {};
    for (const path of new Set(paths)) {
      await dashboard.open(`${path}?${query}`);
      found[path] = await flawsOf(page);
    }
    expect(found).toEqual(
      Object.fromEntries(Object.keys(found).map((path) => [path, { ...GOOD, wider: [] }])),
    );
  });
});
