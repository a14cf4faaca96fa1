import { expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { aRepository, jobClaims, sharedIssuer } from '../../support/oidc.ts';
import { expectAccessible, newAccount, useDashboard } from './support/dashboard.ts';
import { seedRuns } from './support/seed.ts';

describeInBrowser('the page of a suite that a clock judges again', () => {
  const dashboard = useDashboard();

  test('shows how often its bar contradicted itself', async () => {
    const { client, key } = await newAccount();
    const { project, suite, suiteId } = await seedRuns(client);
    const repository = aRepository();
    await client('POST', '/v1/trusted-issuers', { repository: repository.name });
    const { id } = (await client('GET', '/v1/whoami')).body.data.organisation;
    for (const [event_name, run_id] of [
      ['push', '1'],
      ['schedule', '2'],
    ]) {
      const jwt = sharedIssuer().token({ ...jobClaims(id, repository), event_name, run_id });
      const { token } = (await api(sharedServiceUrl(), jwt)('POST', '/v1/auth/token')).body.data;
      const sent = { suite, project, outputs: [{ case: 'blank', output: 'Hello there.' }] };
      expect((await api(sharedServiceUrl(), token)('POST', '/v1/run', sent)).status).toBe(200);
    }
    const page = await dashboard.signIn(key, `/app/p/${project}/s/${suite}`);
    await page.getByText('1 commit judged again, 0 disagreed: too few for a figure.').waitFor();
    expect(dashboard.asked()).toContain(`/v1/suites/${suiteId}/revision`);
    await expectAccessible(page);
  });
});
