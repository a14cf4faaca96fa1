import { createServer, request } from 'node:http';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { sharedServiceUrl } from '../support/api.ts';
import { listening } from '../support/listening.ts';
import type { Gated } from './gated.ts';

const RIGHT = 'within 30 days';
export const CASES = ['window', 'refund', 'letter'] as const;
const SENTENCE = 'Results of this suite are hidden from this credential.';
export const hiddenSentence = (failed: number): string => `${failed} of 3 cases failed. ${SENTENCE}`;

/** Lines of an outputs file, in which one case gets a wrong answer. */
export const answersBut = (wrong?: string): string =>
  CASES.map((name) => JSON.stringify({ case: name, output: name === wrong ? 'never' : RIGHT })).join('\n');

/** The suite hides its results from then on, and its next runs are compared with one in which every case passed. */
export async function hideResults({ gate, suiteId }: Pick<Gated, 'gate' | 'suiteId'>): Promise<void> {
  const gates = { max_newly_failing: 3 };
  await gate.suites.update('bot', 'returns', { show_results: false, pass_threshold: 0.6, gates });
  const outputs = CASES.map((name) => ({ case: name, output: RIGHT }));
  const { id } = await gate.runs.create({ suite: 'returns', outputs });
  await gate.baselines.accept(suiteId, { run_ids: [id] });
}

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>'],
  [/run(?:_|&#95;)[0-9A-Za-z]+/g, '<run>'],
  [/\b[0-9a-f]{64}\b/g, '<digest>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/(?<!\.)\b\d{13,19}\b/g, '<time>'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '<url>'],
  [/(?<=duration(?:_ms)?\\?": ?)\d+/g, '<ms>'],
  [/(?<=time=\\?")\d+\.\d+|\d+\.\d+(?= s\b)/g, '<s>'],
];
export const withoutVarying = (text: string): string =>
  VARYING.reduce((left, [pattern, name]) => left.replace(pattern, name), text);

/** Stands before the shared service, and knows what it was asked for. */
export interface Recorder {
  readonly url: string;
  /** Without ids. */
  readonly paths: string[];
}

/** One for all tests of a file. */
export function useRecorder(): Recorder {
  const recorder = { url: '', paths: [] as string[] };
  let stop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const service = sharedServiceUrl();
    const server = createServer((asked, answer) => {
      recorder.paths.push(withoutVarying(asked.url ?? ''));
      const { method, headers } = asked;
      const passed = request(service + asked.url, { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      asked.pipe(passed);
    });
    ({ url: recorder.url, stop } = await listening(server));
  });
  beforeEach(() => void recorder.paths.splice(0));
  afterAll(() => stop?.());
  return recorder;
}
