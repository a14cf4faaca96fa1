import { Expected } from '../../shared/scoring/kit/reading/expected.ts';
import { Subject } from '../../shared/scoring/kit/reading/subject.ts';
import type { Trace } from '../../shared/scoring/kit/trace.ts';
import { loadScorers } from '../../shared/scoring/registry.ts';
import { trajectory } from '../../shared/scoring/scorers/trajectory.ts';
import { readTrace } from '../../shared/scoring/trace/read.ts';
import { type Bench, median, type Row } from '../result.ts';

const SIZE = {
  full: { warm: 20_000, rounds: 9, runs: 2_000, handRuns: 50_000, hostileRounds: 7, calls: 1_000 },
  smallest: { warm: 1, rounds: 1, runs: 1, handRuns: 1, hostileRounds: 1, calls: 20 },
} as const;

const TOOLS = ['lookup', 'search', 'log', 'notify', 'refund'];
const NOTHING = new Expected(undefined);

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const scorerOf = (config: object) =>
  trajectory.compile(trajectory.configSchema().parse(config), { dualSided: false });

/** Ten calls, one a message, each with its result. */
const MESSAGES = Array.from({ length: 10 }, (_, at) => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: `call_${at}`,
        type: 'function',
        function: {
          name: TOOLS[at % TOOLS.length] ?? '',
          arguments: JSON.stringify({ order: `A${at % TOOLS.length}`, n: at, note: 'as asked' }),
        },
      },
    ],
  },
  { role: 'tool', tool_call_id: `call_${at}`, content: 'what the tool answered' },
]).flat();

const EXPECTED = TOOLS.map((tool, at) => ({ tool, arguments_include: { order: `A${at}` } }));

/** What one writes oneself: the first call that fits, of calls that were parsed before. */
function byHand(): () => boolean {
  const calls = MESSAGES.flatMap(({ tool_calls = [] }) => tool_calls).map(
    ({ function: { name, arguments: text } }) => ({
      name,
      members: JSON.parse(text) as Record<string, unknown>,
    }),
  );
  return () => {
    const used = new Set<number>();
    return EXPECTED.every(({ tool, arguments_include }) => {
      const wanted = Object.entries(arguments_include);
      const at = calls.findIndex(
        ({ name, members }, index) =>
          !used.has(index) && name === tool && wanted.every(([field, value]) => members[field] === value),
      );
      used.add(at);
      return at !== -1;
    });
  };
}

function traced(field: 'trace' | 'messages', list: readonly unknown[]): Trace {
  const read = readTrace(field, list);
  if (!read.ok) throw new Error(read.message);
  return read.trace;
}

/** Calls of one tool, each of which fits some of a hundred expected ones. */
const hostileTrace = (count: number): Trace =>
  traced(
    'trace',
    Array.from({ length: count }, (_, at) => ({
      ...{ type: 'call', tool: 't' },
      arguments: Object.fromEntries(
        Array.from({ length: 6 }, (__, field) => [`k${field}`, (at * 7 + field * 3) % 5]),
      ),
    })),
  );

const OVERLAPPING = Array.from({ length: 100 }, (_, at) => ({
  ...{ tool: 't', min: 10, max: 10 },
  arguments_include: { [`k${at % 6}`]: at % 5 },
}));

/** Traces that are read and paired, beside a loop by hand in turn; and many calls that overlap. In processor time. */
export const benchTrajectory: Bench = async (size) => {
  const { warm, rounds, runs, handRuns, hostileRounds, calls } = SIZE[size];
  await loadScorers(['trajectory']);
  const scorer = scorerOf({ calls: EXPECTED, allow_extra: true });
  const score = () => void scorer.score(new Subject('', {}, traced('messages', MESSAGES)), NOTHING);
  const hand = byHand();
  const times = (count: number, work: () => unknown) => () => {
    for (let run = 0; run < count; run++) work();
  };
  processorMs(times(warm, score));
  processorMs(times(warm, hand));
  const rates: number[] = [];
  const shares: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const rate = (runs * 1_000) / processorMs(times(runs, score));
    const handRate = (handRuns * 1_000) / processorMs(times(handRuns, hand));
    rates.push(rate);
    shares.push(rate / handRate);
  }
  const rows: Row[] = [
    {
      metric: 'traces of 10 calls, read and scored',
      value: median(rates),
      unit: '/s',
      bound: { atLeast: 20_000 },
    },
    { metric: 'the same beside a loop by hand over parsed calls', value: median(shares), unit: '×' },
  ];
  const hostile = hostileTrace(calls);
  for (const order of ['any_order', 'in_order']) {
    const overlapping = scorerOf({ order, calls: OVERLAPPING });
    const judge = () => void overlapping.score(new Subject('', {}, hostile), NOTHING);
    processorMs(times(Math.min(3, hostileRounds), judge));
    const took = Array.from({ length: hostileRounds }, () => processorMs(judge));
    const metric = `${calls.toLocaleString('en-US')} calls, 100 overlapping expected ones, ${order}`;
    rows.push({ metric, value: median(took), unit: 'ms', bound: { atMost: 100 } });
  }
  return rows;
};
