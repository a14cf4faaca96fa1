import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/domain/time.ts';
import {
  type CheckedGate,
  type CheckStage,
  EXACT,
  judgedBy,
  makeCheckedGate,
  startCheckStage,
} from './stage.ts';

const FIRST_DAY_MS = Date.parse('2036-05-01T09:00:00.000Z');
const OLD = 'gpt-5.4-mini-2036-03-01';
const NEW = 'gpt-5.4-mini-2036-05-12';

let stage: CheckStage;
let gate: CheckedGate;
beforeAll(async () => {
  stage = await startCheckStage();
  stage.service.clock.ms = FIRST_DAY_MS;
  gate = await makeCheckedGate(stage, { gates: { judges: { min_caught: 0.7 } } });
});
afterAll(() => stage.stop());

/** The drifted judge passes every second wrong answer, unless its rubric is strict. */
const drifted = judgedBy({
  model: NEW,
  score: (answer, { system, user }) => {
    if (answer !== 'WRONG') return answer === 'RIGHT' ? 1 : 0;
    const isStrict = `${system}${user}`.includes('Be strict.');
    return !isStrict && /WRONG \d\.[02468]/.test(user) ? 1 : 0;
  },
});

async function check() {
  await gate.check();
  await stage.work();
  return (await gate.found()).judges[0].fail.caught as number;
}

/** A run of the day's candidate, whose answers no judge has seen. */
async function runOf(day: number): Promise<string> {
  const body = { suite: gate.suite.slug, output: `RIGHT on day ${day}`, async: true };
  const { id } = (await gate.client('POST', '/v1/run', body)).body;
  await stage.work();
  const { status, inconclusive, fault, verdict } = (await gate.client('GET', `/v1/runs/${id}`)).body.data;
  if (!inconclusive) return status;
  const [open] = verdict.gates.filter((one: { status: string }) => one.status !== 'passed');
  return `${fault}: ${open.gate}: ${open.reason}`;
}

test('a month with a judge that drifts on day 12: runs are inconclusive until a person has made it strict and checked it', async () => {
  const days = new Map<string, number[]>();
  const caught: [day: number, caught: number][] = [];
  const person: string[] = [];
  for (let day = 1; day <= 31; day++) {
    stage.service.clock.ms = FIRST_DAY_MS + (day - 1) * DAY_MS;
    stage.providers.always('openai', day < 12 ? judgedBy({ ...EXACT, model: OLD }) : drifted);
    // The weekly cron job.
    if (day % 7 === 1) caught.push([day, await check()]);
    if (day === 17) {
      const config = { ...gate.scorer.config, rubric: `${gate.scorer.config.rubric} Be strict.` };
      await gate.client('PATCH', `/v1/scorers/${gate.scorer.id}`, { config });
      person.push('makes the rubric strict on day 17');
    }
    if (day === 18) {
      person.push('checks it on day 18');
      caught.push([day, await check()]);
    }
    const outcome = await runOf(day);
    days.set(outcome, [...(days.get(outcome) ?? []), day]);
  }
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const bar = (lack: string) => `bar: judges: judge tone ${lack}evalgate check returns`;
  expect([...days]).toEqual([
    ['cleared', [...from(1, 11), ...from(18, 31)]],
    [bar(`answered as ${NEW}, which no check has seen: `), from(12, 14)],
    [
      bar(
        'caught 15 of 30 wrong answers, which proves 0.331, and it takes 0.7: add wrong answers or make its rubric stricter, then ',
      ),
      from(15, 16),
    ],
    [bar('has not been checked as it is now: '), [17]],
  ]);
  expect(caught).toEqual([
    [1, 30],
    [8, 30],
    [15, 15],
    [18, 30],
    [22, 30],
    [29, 30],
  ]);
  expect(person).toEqual(['makes the rubric strict on day 17', 'checks it on day 18']);
});

test('a remembered verdict counts only while a check that counts has seen its model', async () => {
  const { client } = gate;
  const again = { suite: gate.suite.slug, output: 'RIGHT on day 31', async: true };
  const answersOf = async () => {
    stage.providers.calls.length = 0;
    const { id } = (await client('POST', '/v1/run', again)).body;
    await stage.work();
    const { status, inconclusive } = (await client('GET', `/v1/runs/${id}`)).body.data;
    return [stage.providers.calls.length, inconclusive ? 'inconclusive' : status];
  };
  expect(await answersOf()).toEqual([0, 'cleared']);
  stage.providers.always('openai', judgedBy({ ...EXACT, model: 'gpt-6' }));
  await check();
  expect(await answersOf()).toEqual([3, 'cleared']);
  expect(await answersOf()).toEqual([0, 'cleared']);
});

test('a check that is older than 30 days proves nothing: the run is inconclusive, exit 3', async () => {
  stage.service.clock.ms = FIRST_DAY_MS + (31 - 1 + 30) * DAY_MS + 60_000;
  expect(await runOf(61)).toBe('bar: judges: judge tone was checked too long ago: evalgate check returns');
});
