import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  answersBut,
  CASES,
  hiddenSentence,
  hideResults,
  useRecorder,
  withoutVarying,
} from '../hiddenResults.ts';
import { useGate, usePlace } from './cli.ts';

const gated = useGate();
const recorder = useRecorder();
const place = usePlace(() => ({ EVALGATE_URL: recorder.url }));
beforeAll(async () => {
  await hideResults(gated);
  const { key } = await gated.gate.apiKeys.create({ name: 'CI', scope: 'run' });
  place.env.EVALGATE_API_KEY = key;
});

const FORMATS = ['text', 'json', 'jsonl', 'junit', 'ctrf', 'otel', 'markdown'];
/** As a runner of GitHub gives them: annotations, summary and outputs are written by themselves. */
const IN_ACTIONS = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: 'summary', GITHUB_OUTPUT: 'outputs' };
const fileOf = (name: string): string => path.join(place.folder, name);
const REPORTS = FORMATS.flatMap((format) => ['--report', `${format}=out/${format}`]);

type Reported = Readonly<Record<string, string | number | null>>;

/** All that a command reports, in streams and in files. */
async function reportedBy(args: readonly string[]): Promise<Reported> {
  const env = Object.fromEntries(
    Object.entries(IN_ACTIONS).map(([name, value]) => [name, value === 'true' ? value : fileOf(value)]),
  );
  for (const name of ['out', 'summary', 'outputs']) rmSync(fileOf(name), { recursive: true, force: true });
  const { code, stdout, stderr } = await place.cli([...args, ...REPORTS], { env });
  const files = ['summary', 'outputs', ...FORMATS.map((format) => `out/${format}`)];
  const texts = { stdout, stderr, ...Object.fromEntries(files.map((name) => [name, textIn(name)])) };
  const same = Object.entries(texts).map(([name, text]) => [name, withoutTokens(withoutVarying(text))]);
  return { code, ...Object.fromEntries(same) };
}
const textIn = (name: string): string => readFileSync(fileOf(name), 'utf8');
const withoutTokens = (text: string): string => text.replace(/evalgate-<id>/g, '<token>');

const WAYS: Readonly<Record<string, (wrong?: string) => Promise<Reported>>> = {
  run: (wrong) => {
    place.file('answers.jsonl', answersBut(wrong));
    return reportedBy(['run', 'returns', '--outputs', 'answers.jsonl', '--json']);
  },
  'wait, of a run that was queued': async (wrong) => {
    place.file('answers.jsonl', answersBut(wrong));
    const sent = await place.cli(['run', 'returns', '--outputs', 'answers.jsonl', '--async']);
    return reportedBy(['wait', sent.stdout.trim()]);
  },
};

describe.each(Object.entries(WAYS))('evalgate %s', (_, report) => {
  test('reports the same in each stream, report and exit code, whichever case failed, and names none', async () => {
    const [first, other] = [await report('window'), await report('letter')];
    expect(other).toEqual(first);
    expect(first.code).toBe(0);
    for (const name of CASES) expect(Object.values(first).join('\n')).not.toContain(name);
    for (const report of ['summary', 'out/text', 'out/markdown', 'out/junit', 'out/ctrf'])
      expect(`${report}: ${first[report]}`).toContain(hiddenSentence(1));
    expect(`${first.stdout}${first.stderr}`).toContain(hiddenSentence(1));
    expect(first['out/junit']?.toString().match(/<testcase /g)).toHaveLength(1);
    expect(first['out/json']).toContain('"results_complete": false');
    expect(`${first.stderr}`).not.toContain('could not be read');
  });

  test('asks for neither results nor a comparison', async () => {
    await report('window');
    expect(recorder.paths).toContain('/v1/run');
    expect(recorder.paths.filter((one) => /results|comparison/.test(one))).toEqual([]);
  });

  test('counts the failed cases of a run in which none failed, too', async () => {
    const reported = await report();
    expect(reported.code).toBe(0);
    expect(reported['out/text']).toContain(hiddenSentence(0));
  });
});

test.each(['results', 'compare'])(
  'evalgate %s ends with 2 and the sentence of the service',
  async (command) => {
    place.file('answers.jsonl', answersBut('window'));
    const { stdout: id } = await place.cli(['run', 'returns', '--outputs', 'answers.jsonl', '--async']);
    await place.cli(['wait', id.trim()]);
    expect(await place.cli([command, id.trim()])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^evalgate: The results are hidden from credentials of scope "run"/),
    });
    expect((await place.cli(['open', id.trim()])).code).toBe(0);
  },
);

test('a credential that may read the bar sees the results of a queued run, too', async () => {
  const env = { EVALGATE_API_KEY: gated.apiKey };
  place.file('answers.jsonl', answersBut('window'));
  const { stdout } = await place.cli(['run', 'returns', '--outputs', 'answers.jsonl', '--async'], { env });
  const waited = await place.cli(['wait', stdout.trim()], { env });
  expect(waited.stdout).toMatch(/✗ window {2}0\.00 < 0\.50/);
  expect(waited.stdout).not.toContain('hidden');
});
