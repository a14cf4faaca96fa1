import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { KEY_OF_A_STRICT_JUDGE } from '../../support/providers.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));

/** A suite whose judge fails whatever it is asked about. */
beforeAll(async () => {
  const { gate } = gated;
  await gate.byokKeys.create({ provider: 'openai', key: KEY_OF_A_STRICT_JUDGE });
  const suite = await gate.suites.create('bot', { name: 'Judged' });
  const config = { rubric: 'Is it polite?', _provider: 'openai', model: 'm' };
  const judge = await gate.scorers.create('bot', { name: 'Tone', type: 'llm_judge', config });
  const examples = { fail: ['Go away.', 'No.'], pass: [] };
  await gate.cases.create(suite.id, { name: 'polite', input: {}, scorer_id: judge.id, examples });
});

test('check prints how many wrong answers each judge fails, and exits with 0 where all came out right', async () => {
  const { code, stdout } = await place.cli(['check', 'judged']);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'tone: fails 2 of 2 wrong answers (proves 0.34)  m\n',
  });
});

test('check exits with 1 where an answer came out wrong, and names it', async () => {
  const [found] = (await gated.gate.suites.list('bot').page()).data.filter(({ slug }) => slug === 'judged');
  const [one] = (await gated.gate.cases.list(found?.id ?? '').page()).data;
  await gated.gate.cases.update(one?.id ?? '', { examples: { fail: ['No.'], pass: ['Gladly.'] } });
  const { code, stdout } = await place.cli(['check', 'judged']);
  const [judge, wrong] = stdout.split('\n');
  expect(code).toBe(1);
  expect(judge).toBe('tone: fails 1 of 1 wrong answer (proves 0.20), passes 0 of 1, κ 0.00  m');
  expect(wrong).toMatch(/^ {2}polite {2}pass {2}0\.20 {2}It names 14 days/);
  const json = JSON.parse((await place.cli(['check', 'judged', '--json'])).stdout);
  expect(json).toMatchObject({ status: 'done', judges: [{ scorer: 'tone' }], wrong: [{ case: 'polite' }] });
});

test('a suite without judges has nothing to check, which is not good: exit 3', async () => {
  const { code, stdout } = await place.cli(['check', 'returns']);
  expect({ code, stdout }).toEqual({
    code: 3,
    stdout: 'no active case is judged by a model: there is nothing to check\n',
  });
});

test('examples that were left out are not good: exit 3', async () => {
  const { gate } = gated;
  const suite = await gate.suites.create('bot', { name: 'Many' });
  const [judge] = (await gate.scorers.list('bot').page()).data.filter(({ key }) => key === 'tone');
  const fail = Array.from({ length: 10 }, (_, at) => `No ${at}.`);
  for (let index = 0; index <= 20; index++)
    await gate.cases.create(suite.id, {
      name: `case ${index}`,
      input: {},
      scorer_id: judge?.id ?? '',
      examples: { fail, pass: [] },
    });
  const { code, stdout } = await place.cli(['check', 'many']);
  expect({ code, stdout }).toEqual({
    code: 3,
    stdout:
      'tone: fails 200 of 200 wrong answers (proves 0.98)  m\n10 examples beyond the first 200 left out\n',
  });
});
