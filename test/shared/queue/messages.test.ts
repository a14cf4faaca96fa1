import { describe, expect, test } from '@jest/globals';
import type { WorkMessage } from '../../../shared/domain/messages.ts';
import { readMessage, writeMessage } from '../../../shared/queue/messages.ts';

const org_id = '3f1b8a52-0c55-4a6b-9a3f-1d2b5c7e9f10';
const run_id = 'run_2K6iAXaTfcIpWKFU4iGF5YH6oYYWf';

const MESSAGES: readonly WorkMessage[] = [
  { kind: 'plan', org_id, run_id },
  { kind: 'chunk', org_id, run_id, chunk: 0, waits: 0, held: 0 },
  { kind: 'chunk', org_id, run_id, chunk: 499, waits: 40, held: 0 },
  { kind: 'key_test', org_id, key_id: org_id, test_id: org_id },
  { kind: 'key_test', org_id, key_id: org_id, test_id: org_id, model: 'https://x.openai.azure.com|y' },
  { kind: 'judge_check', org_id, suite_id: org_id, check_id: org_id },
  { kind: 'extend_retention', org_id },
];

describe('a message', () => {
  test.each(MESSAGES)('arrives as it was sent: $kind', (message) => {
    expect(readMessage(writeMessage(message))).toEqual(message);
  });

  test.each(MESSAGES)('is small enough for ten of them in a batch, and ids only: $kind', (message) => {
    expect(writeMessage({ ...message, output: 'x'.repeat(1_000) } as never).length).toBeLessThan(500);
  });

  const chunk = { kind: 'chunk', org_id, run_id, chunk: 0, waits: 0, held: 0 };
  test.each<[string, unknown]>([
    ['no object', null],
    ['an array', [chunk]],
    ['of an unknown kind', { ...chunk, kind: 'delete' }],
    ['without its run', { kind: 'plan', org_id }],
    ['with a run id of another form', { kind: 'plan', org_id, run_id: '../run' }],
    ['with an endless run id', { kind: 'plan', org_id, run_id: `run_${'a'.repeat(1_000)}` }],
    ['of no organisation', { ...chunk, org_id: '' }],
    ['with a negative chunk', { ...chunk, chunk: -1 }],
    ['without its waits', { kind: 'chunk', org_id, run_id, chunk: 0 }],
    ['with a key id of another form', { kind: 'key_test', org_id, key_id: 'k', test_id: org_id }],
  ])('is refused when sent and when received: %s', (_what, message) => {
    expect(() => writeMessage(message as WorkMessage)).toThrow();
    expect(() => readMessage(JSON.stringify(message))).toThrow();
  });

  test.each(['', 'plan', '{"kind":"plan"', 'undefined'])('is refused when it is no JSON: %j', (body) => {
    expect(() => readMessage(body)).toThrow();
  });
});
