import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.ts';
import { testInSoak } from '../../support/soak.ts';
import { axeViolations, expectAccessible, useDashboard } from './support/dashboard.ts';
import { addresses, type Everything, seedEverything, TEXTS } from './support/everything.ts';
import { byKeyboard, headsOf, unfold, WIDTHS, widerThan } from './support/looks.ts';

const REQUESTS_MAX = 4;
const NARROW = 360;

describeInBrowser('every page of the dashboard', () => {
  const dashboard = useDashboard();
  let seeded: Everything;
  beforeAll(async () => {
    seeded = await seedEverything(TEXTS);
  });

  /** What `look` finds on each page, by the page's pattern: public ones are looked at before the sign-in. */
  async function onEveryPage(look: (page: Page) => Promise<object>): Promise<object> {
    const found: Record<string, object> = {};
    let page = await dashboard.open('/app/sign-in');
    const [first, others] = [
      addresses().filter((one) => one.isPublic),
      addresses().filter((one) => !one.isPublic),
    ];
    for (const [index, { pattern, of }] of [...first, ...others].entries()) {
      if (index === first.length) page = await dashboard.signIn(seeded.key);
      await dashboard.settle();
      dashboard.failed();
      dashboard.asked();
      await dashboard.open(of(seeded));
      await dashboard.settle();
      found[pattern] = await look(page);
    }
    return found;
  }
  const eachIs = (good: object): object =>
    Object.fromEntries(addresses().map(({ pattern }) => [pattern, good]));

  test('has one heading and a title of its own, asks for little and for nothing in vain, suits a phone, and breaks no rule of WCAG', async () => {
    const titles: string[] = [];
    const found = await onEveryPage(async (page) => {
      const requests = dashboard.asked().filter((path) => path !== '/v1/whoami');
      const { title, headings } = await headsOf(page);
      titles.push(title);
      const violations = await axeViolations(page);
      const wider = await widerThan(page, NARROW);
      await unfold(page);
      await dashboard.settle();
      return {
        tooMany: requests.length > REQUESTS_MAX ? requests : [],
        failed: dashboard.failed(),
        headings,
        violations,
        wider: [...wider, ...(await widerThan(page, NARROW))],
      };
    });
    expect(found).toEqual(eachIs({ tooMany: [], failed: [], headings: 1, violations: [], wider: [] }));
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test('the pages of an unknown run and of an unknown address break no rule of WCAG either, and suit a phone', async () => {
    dashboard.expectLine(/404/);
    await dashboard.signIn(seeded.key);
    for (const [path, heading] of [
      ['/app/runs/run_never', 'No such run'],
      ['/app/nowhere', 'No page here'],
    ] as const) {
      const page = await dashboard.open(path);
      await page.getByRole('heading', { name: heading }).waitFor();
      await expectAccessible(page);
    }
  });

  testInSoak(
    'suits every width, light and dark, and breaks no rule of WCAG there, with all unfolded',
    async () => {
      const found = await onEveryPage(async (page) => {
        await unfold(page);
        await dashboard.settle();
        const flaws: string[] = [];
        for (const [screen, width] of Object.entries(WIDTHS))
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
            const wider = await widerThan(page, width);
            flaws.push(
              ...[...wider, ...(await axeViolations(page))].map(
                (flaw) => `${screen}, ${colorScheme}: ${flaw}`,
              ),
            );
          }
        return flaws;
      });
      expect(found).toEqual(eachIs([]));
    },
  );

  testInSoak('leads the Tab key to every control, which shows that it has the focus', async () => {
    const found = await onEveryPage(async (page) => {
      await unfold(page);
      await dashboard.settle();
      return byKeyboard(page);
    });
    expect(found).toEqual(eachIs({ unreached: [], unseen: [] }));
  });
});
