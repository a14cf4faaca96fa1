import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureQueues, findQueues } from '../../../shared/queue/ensureQueues.ts';
import { type OwnQueues, startOwnQueues } from '../../support/queues.ts';

let own: OwnQueues;
beforeAll(async () => {
  own = await startOwnQueues();
});
afterAll(() => own.stop());

describe('the queues of an engine', () => {
  const settings = { name: 'made', visibilityTimeoutSeconds: 120, maxReceiveCount: 3 };

  test('are made once, and stay as they are after that', async () => {
    const made = await ensureQueues(own.endpoint, settings);
    expect(made.runs.arn).toMatch(/^arn:aws:sqs:local:\d+:made$/);
    expect(made.deadLetters.arn).toMatch(/^arn:aws:sqs:local:\d+:made-dead$/);
    expect(await ensureQueues(own.endpoint, settings)).toEqual(made);
    expect(await ensureQueues(own.endpoint, { ...settings, visibilityTimeoutSeconds: 5 })).toEqual(made);
  });

  test('are found by the url of the one, which names the other', async () => {
    const made = await ensureQueues(own.endpoint, settings);
    expect(await findQueues(own.endpoint, made.runs.url)).toEqual(made);
  });

  test('are not enough without a dead-letter queue, or without a queue', async () => {
    const { deadLetters } = await ensureQueues(own.endpoint, settings);
    await expect(findQueues(own.endpoint, deadLetters.url)).rejects.toThrow('no redrive policy');
    const missing = `${own.endpoint}/000000000000/missing`;
    await expect(findQueues(own.endpoint, missing)).rejects.toThrow('does not exist');
  });
});
