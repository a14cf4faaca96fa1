import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { useDashboard } from './support/dashboard.ts';
import { type Everything, seedEverything, TEXTS } from './support/everything.ts';
import { cutIn } from './support/looks.ts';

/** What is made, with the button and the address of the list that it is added to. */
const MADE: Readonly<Record<string, (of: Everything) => string>> = {
  'New project': () => '/app',
  'New suite': ({ project }) => `/app/p/${project}`,
  'New scorer': ({ project }) => `/app/p/${project}`,
  'New case': ({ project, suite }) => `/app/p/${project}/s/${suite}/cases`,
  'New API key': () => '/app/settings/keys',
  'New provider key': () => '/app/settings/byok',
  'New trusted issuer': () => '/app/settings/issuers',
};
const DIALOG_PX = 640;
const PHONE_PX = 360;
const MARGINS_PX = 32;

describeInBrowser('what is made in the dashboard', () => {
  const dashboard = useDashboard();
  let seeded: Everything;
  beforeAll(async () => {
    seeded = await seedEverything(TEXTS);
  });

  test.each(Object.entries(MADE))(
    '%s: a primary button at the head of the list opens a dialog of the one width, by keyboard alone',
    async (name, of) => {
      const page = await dashboard.signIn(seeded.key, of(seeded));
      const button = page.locator('.actions, .part-head').getByRole('button', { name, exact: true });
      expect(await button.getAttribute('class')).toBe('primary');
      await button.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name, exact: true });
      await dialog.waitFor();
      await dashboard.settle();
      const widthAt = async (width: number): Promise<number | undefined> => {
        await page.setViewportSize({ width, height: 900 });
        expect(await dialog.evaluate(cutIn)).toEqual([]);
        return (await dialog.boundingBox())?.width;
      };
      expect([await widthAt(1_280), await widthAt(PHONE_PX)]).toEqual([DIALOG_PX, PHONE_PX - MARGINS_PX]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.innerText')).toBe(name);
    },
  );
});
