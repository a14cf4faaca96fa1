import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
let digest: string;
let runId: string;
async function run() {
  const { id } = await gated.gate.runs.create({ suite: 'returns', output: '30 days' });
  return { id, digest: (await gated.gate.runs.get(id)).suite_digest ?? '' };
}

beforeAll(async () => {
  ({ digest, id: runId } = await run());
  await gated.gate.suites.update('bot', 'returns', { pass_threshold: 0.8 });
  const { data } = await gated.gate.cases.list(gated.suiteId).page();
  await gated.gate.cases.delete(data[0]?.id ?? '');
});

test('history lists the bars that judged runs and who changed the suite, the newest first', async () => {
  const { code, stdout, stderr } = await place.cli(['history', 'returns', '--limit', '2']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [bar, , deleted, ofCase, updated, ofSuite, ...others] = stdout.split('\n');
  expect(bar).toMatch(new RegExp(`^${digest} {2}\\S+Z {2}${runId} {2}3 cases {2}pass rate ≥ 100.0 %$`));
  expect([deleted, updated]).toEqual([
    expect.stringMatching(/Z {2}deleted {2}by .+$/),
    expect.stringMatching(/Z {2}updated {2}by .+$/),
  ]);
  expect([ofCase, ofSuite]).toEqual([
    expect.stringMatching(/^ {2}- case (window|refund|letter) {2}weaker$/),
    '  ~ suite returns  pass_threshold 1 → 0.8  weaker',
  ]);
  expect(others).toEqual(['']);
  const json = JSON.parse((await place.cli(['history', gated.suiteId, '--json'])).stdout);
  expect(json).toMatchObject({ revisions: [{ digest, first_run_id: runId }], changes: { length: 6 } });
});

test('a key of another scope than full sees the bars, and reads which scope sees the rest', async () => {
  const { key } = await gated.gate.apiKeys.create({ name: 'CI', scope: 'run' });
  const env = { EVALGATE_API_KEY: key };
  const { code, stdout, stderr } = await place.cli(['history', gated.suiteId], { env });
  expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 2 });
  expect(stderr).toContain('API keys of scope full only');
});

test('history --diff prints how the suite differs now from a bar that judged', async () => {
  const { code, stdout } = await place.cli(['history', 'returns', '--diff', digest.replace('sha256:', '')]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^~ suite {2}pass_threshold 1 → 0\.8\n- case \S+\n$/);
  const same = await place.cli(['history', 'returns', '--diff', (await run()).digest]);
  expect(same).toMatchObject({ code: 0, stdout: 'No differences.\n' });
});

test.each([
  [['--diff', 'latest'], '--diff latest is no digest.'],
  [['--diff', '0'.repeat(64)], 'No such revision.'],
  [['--limit', '0'], '--limit'],
])('history %j exits with 2, and states why', async (args, words) => {
  const { code, stdout, stderr } = await place.cli(['history', 'returns', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(words);
});
