import { rmSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { openSession, SAME_ORIGIN, sender } from '../../../functions/auth/browser.ts';
import { type OwnService, startOwnService } from '../../../support/ownService.ts';
import { tokenKeys } from '../../../support/tokenKeys.ts';

/** Endpoints whose clock a test moves, for pages of the shared service. */
export async function startOwnEndpoints(): Promise<OwnService> {
  const { folder, keys } = tokenKeys(1);
  const own = await startOwnService({ TOKEN_KEY_FILES: keys.map(({ file }) => file).join() });
  return {
    ...own,
    async stop() {
      await own.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Begins a session there; from then on they answer the page. */
export async function signInAt(own: OwnService, key: string, page: Page): Promise<void> {
  let { cookie } = await openSession(own, key);
  await page.route('**/v1/**', async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const { authorization, 'content-type': type } = request.headers();
    const headers = {
      ...SAME_ORIGIN,
      ...(authorization ? { authorization } : { cookie }),
      ...(type && { 'content-type': type }),
    };
    const { status, setCookie, ...answer } = await sender(own.baseUrl, headers)(
      request.method(),
      pathname + search,
      request.postData() ?? undefined,
    );
    if (setCookie[0]) cookie = setCookie[0].slice(0, setCookie[0].indexOf(';'));
    await route.fulfill({ status, headers: Object.fromEntries(answer.headers), json: answer.body });
  });
  await page.evaluate("localStorage.setItem('evalgate.signed-in', '1')");
}
