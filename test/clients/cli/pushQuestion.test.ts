import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { writeFiles } from '../suites/repository.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';
import { onTerminal, startOnTerminal } from './onTerminal.ts';

const url = sharedServiceUrl();
let gated: Gated;
let place: Place;
let version: number;

const writeBar = (slug: string, pass_threshold: number) =>
  writeFiles(place.folder, {
    'evalgate.yaml': 'version: 1\n',
    [`evals/${slug}.suite.yaml`]: [
      ...['version: 1', `suite: ${slug}`, `pass_threshold: ${pass_threshold}`],
      'scorers: { has: { type: contains, config: { values: ["30 days"] } } }',
      'cases: [{ key: window, input: {}, scorer: has }]',
      '',
    ].join('\n'),
  });
const barOf = async (slug = 'bar') => {
  const found = await gated.gate.definitions.get('bot', slug);
  return { version: found.version, pass_threshold: found.definition.pass_threshold };
};

beforeAll(async () => {
  gated = await aGate(url);
  place = aPlace({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey, EVALGATE_PROJECT: 'bot' });
});
afterAll(() => place.remove());

/** A file whose push makes the bar weaker. */
beforeEach(async () => {
  writeBar('bar', 0.9);
  expect(await place.cli(['push'])).toMatchObject({ code: 0 });
  ({ version } = await barOf());
  writeBar('bar', 0.5);
});

const WEAKER = 'with a bar that gets or may get weaker?';
async function asked(command = 'push') {
  const push = startOnTerminal(place, command);
  await eventually(() => push.said().includes(WEAKER));
  // The plan comes before the question.
  expect(push.said()).toMatch(/pass_threshold 0\.9 → 0\.5 [\s\S]*weaker[\s\S]*Push it, with a bar/);
  expect(await barOf()).toEqual({ version, pass_threshold: 0.9 });
  return push;
}

describe('push of a weaker bar on a terminal', () => {
  onTerminal.each([
    ['y', 'y'],
    ['the arrow to yes and return', '\u001b[D\r'],
  ])('asks, and %s puts it in force', async (_, typed) => {
    const push = await asked();
    push.type(typed);
    const { code, said } = await push.ended;
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('pushed bar: version ') });
    expect(await barOf()).toEqual({ version: version + 1, pass_threshold: 0.5 });
  });

  onTerminal.each([
    ['n', 'n', 2],
    ['return alone', '\r', 2],
    ['escape', '\u001b', 130],
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D, the end of the input', '\u0004', 2],
  ])('asks, and %s sends nothing', async (_, typed, code) => {
    const push = await asked();
    push.type(typed);
    expect(await push.ended).toMatchObject({ code });
    expect(await barOf()).toEqual({ version, pass_threshold: 0.9 });
  });

  onTerminal('asks, and a terminal where nothing can be typed any more sends nothing', async () => {
    const push = await asked();
    push.leave();
    const { code, said } = await push.ended;
    expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining('Nothing was pushed.') });
    expect(await barOf()).toEqual({ version, pass_threshold: 0.9 });
  });

  onTerminal.each([
    ['with --no-input', 'push --no-input'],
    ['with --yes, which accepts no weaker bar', 'push --yes'],
    ['where its input is no terminal', 'push < /dev/null'],
    ['where the question would not be seen', 'push 2> said.txt'],
  ])('is refused %s, and nothing is sent', async (_, command) => {
    expect(await startOnTerminal(place, command).ended).toMatchObject({ code: 2 });
    expect(await barOf()).toEqual({ version, pass_threshold: 0.9 });
  });

  onTerminal('is not asked about again where --allow-weaker and --yes say so', async () => {
    const { code, said } = await startOnTerminal(place, 'push --allow-weaker --yes').ended;
    expect(code).toBe(0);
    expect(said).not.toContain('Push it');
    expect(await barOf()).toEqual({ version: version + 1, pass_threshold: 0.5 });
  });
});

test('a push of a weaker bar without a terminal is refused with what to do, and nothing is sent', async () => {
  const { code, stderr } = await place.cli(['push'], { stdin: 'y\n' });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('If that is meant: evalgate push --allow-weaker'),
  });
  expect(await barOf()).toEqual({ version, pass_threshold: 0.9 });
});
