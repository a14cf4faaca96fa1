import { expect, test } from '@jest/globals';
import { readReport } from '../../../clients/gate/readReport.ts';
import { Evalgate } from '../../../clients/sdk/index.ts';
import { failureOf, outcomeOf } from '../../../clients/sdk/verdict.ts';
import { aReport, aResult } from './report/reports.ts';

const SUITE = { slug: 'returns', name: 'Returns', project_slug: 'support-bot' };
const { suite: _suite, ...FIGURES } = aReport().run;
const OUTCOME = outcomeOf(FIGURES as Parameters<typeof outcomeOf>[0], [
  failureOf(aResult() as Parameters<typeof failureOf>[0]),
]);

/** A client of a service that answers each path with a body, and all others with 404. */
function clientOf(answers: Readonly<Record<string, object>>) {
  const paths: string[] = [];
  const fetch = async (url: string) => {
    const path = new URL(url).pathname;
    paths.push(path);
    const body = answers[path];
    const error = { code: 'NOT_FOUND', message: 'No such run.' };
    return {
      status: body === undefined ? 404 : 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      text: async () => JSON.stringify(body === undefined ? { error } : { data: body }),
    };
  };
  const client = new Evalgate({ url: 'https://gate.example', apiKey: 'egk_1', environment: { fetch } });
  return { client, paths };
}

const READING = { needsAll: true, nowMs: 0 };

test('a report whose results cannot be read has the failures of the verdict, is not complete, and has the reason', async () => {
  const { client } = clientOf({});
  const { report, unread } = await readReport(client, OUTCOME, READING);
  expect(report).toMatchObject({
    run: { status: 'aborted' },
    results: [{ key: 'return-window' }],
    isComplete: false,
  });
  expect(unread?.message).toBe('No such run.');
});

test('a report has the status that was answered, though the run has another one when it is read again', async () => {
  const results = Array.from({ length: OUTCOME.total_cases }, () => aResult());
  const { client } = clientOf({
    '/v1/runs/run_1': { ...FIGURES, status: 'cleared', suite: SUITE },
    '/v1/runs/run_1/results': results,
  });
  const { report } = await readReport(client, OUTCOME, READING);
  expect(report).toMatchObject({ run: { status: 'aborted', suite: SUITE }, isComplete: true });
});

test('a report with fewer results than cases is not complete', async () => {
  const { client } = clientOf({ '/v1/runs/run_1/results': [aResult()] });
  const { report } = await readReport(client, OUTCOME, { ...READING, suite: SUITE });
  expect(report).toMatchObject({ run: { suite: SUITE }, isComplete: false });
});

test('a run whose suite is known is not read again, and one that is pending not at all', async () => {
  const { client, paths } = clientOf({ '/v1/runs/run_1/results': [aResult()] });
  await readReport(client, { ...OUTCOME, status: 'pending' }, READING);
  expect(paths).toEqual([]);
  await readReport(client, OUTCOME, { ...READING, suite: SUITE });
  expect(paths).toEqual(['/v1/runs/run_1/results']);
});
