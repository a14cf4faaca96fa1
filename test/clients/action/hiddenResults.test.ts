import { beforeAll, expect, test } from '@jest/globals';
import {
  answersBut,
  CASES,
  hiddenSentence,
  hideResults,
  useRecorder,
  withoutVarying,
} from '../hiddenResults.ts';
import { pullRequest } from './payloads.ts';
import { type Job, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);
const recorder = useRecorder();
beforeAll(() => hideResults({ gate: gate.client, suiteId: gate.suiteId }));

/** Those of a candidate that answers a case wrongly, of a pull request, on which the base branch had a run before. */
async function reportedWhere(wrong: string | undefined, job: Job = {}) {
  const payload = pullRequest();
  payload.pull_request.base.ref = 'main';
  const { code, stdout, stderr, outputs, summary, commands, file } = await gate.run({
    event: 'pull_request',
    payload,
    claims: { ref: 'refs/pull/2/merge' },
    ...job,
    inputs: {
      url: recorder.url,
      'output-file': '',
      'outputs-file': 'answers.jsonl',
      'report-file': 'report.json',
      'junit-file': 'junit.xml',
      details: 'full',
      ...job.inputs,
    },
    files: { 'answers.jsonl': answersBut(wrong) },
  });
  const comment = (world.github.comments.get(2) ?? []).at(-1)?.body;
  world.github.comments.delete(2);
  const files = { report: file('report.json'), junit: file('junit.xml') };
  const shown = commands.filter(({ name }) => name !== 'add-mask');
  const texts = { stdout, stderr, outputs, summary, shown, comment, ...files };
  const isToken = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
  return { code, outputs, reported: withoutVarying(JSON.stringify(texts)).replace(isToken, '<token>') };
}

/** Each is a job of its own. */
let jobs = 0;
const VARYING = /(?<=issuecomment-)\d+|1723456\d{4}|\d(?= times with this run)|(?<="runs\W+)\d/g;

test.each([
  ['is cleared', 0.6, 0, {}],
  ['is aborted', 1, 1, {}],
  ['is queued', 0.6, 0, { wait: '20s' }],
])(
  'a run that %s is reported alike, whichever case failed, and no case is named',
  async (_, rate, code, inputs) => {
    await gate.client.suites.update('bot', 'returns', { pass_threshold: rate });
    const where = (wrong: string) =>
      reportedWhere(wrong, {
        inputs: { comment: 'always', ...inputs },
        env: { GITHUB_RUN_ID: String(17_234_560_000 + jobs++) },
      });
    const [first, other] = [await where('window'), await where('letter')];
    expect(first.code).toBe(code);
    const [one, two] = [first, other].map(({ reported }) => reported.replace(VARYING, '').split('\\n'));
    expect(two?.filter((line, index) => line !== one?.[index])).toEqual([]);
    expect(two).toHaveLength(one?.length ?? 0);
    for (const name of CASES) expect(first.reported).not.toContain(name);
    // Log, annotation, summary, comment and JUnit.
    expect(first.reported.split(hiddenSentence(1)).length).toBeGreaterThan(5);
    expect(first.outputs).toMatchObject({ 'failed-cases': '1', failures: '[]', 'newly-failing': '[]' });
    expect(first.reported).not.toMatch(/already failing|not compared with main/);
    expect(recorder.paths.filter((path) => /results|comparison/.test(path))).toEqual([]);
  },
);
