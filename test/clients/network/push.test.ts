import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { useGate, usePlace } from '../cli/cli.ts';
import { writeFiles } from '../files/repository.ts';
import { clockThrough } from './clock.ts';
import { type Fault, numRuns, sequence } from './faults.ts';
import { useFaultyProxy } from './faultyProxy.ts';

const SUITE = 'pushed';
const FILE = 'evals/pushed.suite.yaml';
const proxy = useFaultyProxy();
const gated = useGate();
const place = usePlace(() => ({
  EVALGATE_URL: proxy.url,
  EVALGATE_API_KEY: gated.apiKey,
  EVALGATE_PROJECT: 'bot',
}));
let pushes = 0;

beforeAll(async () => {
  writeBar();
  expect(await push()).toMatchObject({ code: 0 });
});

/** Another bar than the last one, which is weaker every other time. */
function writeBar(): { readonly name: string; readonly weight: number } {
  const bar = { name: `Bar ${pushes++}`, weight: pushes };
  writeFiles(place.folder, {
    'evalgate.yaml': 'version: 1\n',
    [FILE]: [
      'version: 1',
      `suite: ${SUITE}`,
      `name: ${bar.name}`,
      `pass_threshold: ${pushes % 2 ? 0.9 : 0.8}`,
      'scorers: { has: { type: contains, config: { values: ["30 days"] } } }',
      'cases:',
      `  - { key: window, input: { q: How long? }, scorer: has, weight: ${bar.weight} }`,
      '  - { key: tone, input: {}, scorer: has }',
      '',
    ].join('\n'),
  });
  return bar;
}

const push = (files: readonly string[] = []) =>
  place.cli(['push', '--allow-weaker', ...files], { clock: clockThrough(proxy) });
const barNow = async () => {
  const { definition_version: version, definition } = await gated.gate.definitions.get('bot', SUITE);
  return { version, bar: { name: definition.name, weight: definition.cases[0]?.weight ?? 1 } };
};

interface Scenario {
  readonly faults: Fault[];
  /** Otherwise the suites of the project are listed between the plan and the push. */
  readonly isNamed: boolean;
}
const scenario = fc.record<Scenario>({ faults: sequence(9), isNamed: fc.boolean() });

async function play({ faults, isNamed }: Scenario): Promise<void> {
  const before = await barNow();
  const bar = writeBar();
  const after = { version: before.version + 1, bar };
  proxy.play(faults);
  const { code, stdout, stderr } = await push(isNamed ? [FILE] : []);
  await proxy.settled();
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(/^\s+at |node:internal/m);
  expect(stderr).not.toContain(gated.apiKey);
  expect([before, after]).toContainEqual(await barNow());
  if (code === 0) {
    expect(stderr).toContain(`pushed ${SUITE}: definition version ${after.version}\n`);
    expect(await barNow()).toEqual(after);
  } else {
    // A page that is none of the service's may refuse what it was sent.
    expect([2, 3]).toContain(code);
    if (!faults.some(refuses)) expect(code).toBe(3);
    expect(stderr).toMatch(/^evalgate: \S+ \S/m);
  }
  proxy.play([]);
  const again = await push();
  expect(again).toMatchObject({ code: 0 });
  // Whatever was sent how often: it was written once.
  expect(await barNow()).toEqual(after);
}

/** Says that the request must not be sent like this. */
const refuses = (fault: Fault): boolean =>
  fault.type === 'other answer' && [403, 413].includes(fault.answer.status);

test('a push is written once whatever gets lost: 0 means the bar of the file, and any other end is reported and can be repeated', async () => {
  await fc.assert(fc.asyncProperty(scenario, play), { numRuns: numRuns(8), endOnFailure: true });
});

const WELL: Fault = { type: 'none', framing: 'length', isPacked: false };
const LOST: Fault[] = [
  { type: 'silence', isCarriedOut: true },
  ...(['head', 'body'] as const).map(
    (part): Fault => ({
      type: 'answer cut',
      place: { part, share: 0.5 },
      end: 'reset',
      framing: 'length',
      isPacked: false,
    }),
  ),
  {
    type: 'other answer',
    isCarriedOut: true,
    answer: { status: 504, headers: { 'content-type': 'text/html' }, body: '<html>Gateway Timeout</html>' },
  },
];

test.each(LOST)(
  'a push in force whose answer is lost ends with 0 and is not written again: %j',
  async (lost) => {
    const { version } = await barNow();
    const bar = writeBar();
    proxy.play([WELL, lost]);
    const { code, stderr } = await push([FILE]);
    expect({ code, last: stderr.split('\n').slice(-2) }).toEqual({
      code: 0,
      last: [`pushed ${SUITE}: definition version ${version + 1}`, ''],
    });
    expect(stderr).not.toContain('evalgate:');
    await proxy.settled();
    expect(await barNow()).toEqual({ version: version + 1, bar });
  },
);
