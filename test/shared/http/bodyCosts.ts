import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { parseRequest } from '../../../shared/http/request.ts';

/**
 * A process of its own, started with a young generation that holds everything: nothing is collected while it is
 * measured. It prints what reading each body costs as a multiple of what `JSON.parse` of it costs.
 */
const LENGTH = 1_048_576;
const TRIES = 4;
const MEASUREMENTS = 5;
const NOISE_MICROSECONDS = 10_000;

const contract = {
  id: 'test/body',
  method: 'POST',
  path: '/test',
  summary: '',
  access: 'api_key',
  rateClass: 'none',
  body: z.object({ name: z.string(), held: z.unknown() }),
  responses: {},
  errors: [],
} satisfies Contract;

const filled = (start: string, unit: string, end: string): string =>
  start + unit.repeat(Math.floor((LENGTH - start.length - end.length) / unit.length)) + end;
const list = (item: string): string => filled('{"name":"n","list":[', `${item},`, '0]}');
const text = (unit: string): string => filled('{"name":"n","text":"', unit, '"}');

const BODIES: Readonly<Record<string, string>> = {
  '299 digits': list('1'.repeat(299)),
  'numbers beyond 2^53': list('9007199254740993'),
  'empty texts': list('""'),
  'empty objects': list('{}'),
  'small objects': list('{"a":0}'),
  'nested arrays': list('[[[[]]]]'),
  'many fields': `{"name":"n",${Array.from({ length: 75_000 }, (_, index) => `"k${index}":0`).join()}}`,
  'one text': text('a'),
  'escaped line ends': text('\\n'),
  'escaped quotes': text('\\"'),
  colons: text(':'),
  'escaped quotes before colons': text('\\":'),
  'texts that begin with a colon': list('":"'),
  'half pairs escaped': text('\\ud83d'),
  'deep arrays': `{"name":"n","deep":${'['.repeat(LENGTH / 2)}${']'.repeat(LENGTH / 2)}}`,
  blanks: filled('{"name":"n"', ' ', '}'),
  'an array that is not closed': filled('[', '[],', ''),
};

const LARGE = '"held":10000000000000000';

/** With a large number in a field of the contract: the text is read for numbers, too. */
const WITH_LARGE: Readonly<Record<string, string>> = Object.fromEntries(
  ['299 digits', 'small objects', 'nested arrays', 'one text', 'escaped line ends'].map((title) => [
    `${title} beside a large number`,
    (BODIES[title] ?? '').replace('{"name":"n"', () => `{"name":"n",${LARGE}`),
  ]),
);

/** Microseconds of processor time. The clock of the processor is coarse, so it is asked once for all tries. */
function timeOf(work: () => unknown): number {
  globalThis.gc?.();
  const before = process.threadCpuUsage();
  for (let tries = 0; tries < TRIES; tries++) attempt(work);
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

function bytesOf(work: () => unknown): number {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const kept = attempt(work);
  const after = process.memoryUsage();
  return kept === before ? 0 : after.heapUsed - before.heapUsed + after.external - before.external;
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const ratios = Object.entries({ ...BODIES, ...WITH_LARGE }).map(([title, body]) => {
  const event = { body, isBase64Encoded: false, headers: {} } as unknown as APIGatewayProxyEventV2;
  const parse = () => JSON.parse(body);
  const read = () => parseRequest(contract, event);
  // The first use of each compiles it.
  for (const work of [parse, read]) attempt(work);
  const measured = Array.from({ length: MEASUREMENTS }, () => ({
    time: timeOf(read) / Math.max(timeOf(parse), NOISE_MICROSECONDS),
    memory: bytesOf(read) / Math.max(bytesOf(parse), body.length),
  }));
  // What else the machine does only adds.
  const least = (figure: 'time' | 'memory') => Math.min(...measured.map((one) => one[figure]));
  return { title, time: least('time'), memory: least('memory') };
});
process.stdout.write(JSON.stringify(ratios));
