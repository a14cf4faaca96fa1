import { describe, expect, test } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import type { JudgeError } from '../../../shared/domain/evaluation/judging/ports.ts';
import { type Answer, content, envelope, failure, type ProviderName, raw } from '../../support/providers.ts';
import { ALL, KEY, startJudging } from './setup.ts';
import { EMPTY_ERRORS, WIRE } from './wireAnswers.ts';

const { providers, judgeOnce } = await startJudging();

async function errorOf(provider: ProviderName, answer: Answer, overrides = {}): Promise<JudgeError> {
  providers.always(provider, answer);
  const { outcome } = await judgeOnce({ provider, ...overrides });
  if (outcome.kind !== 'error') throw new Error(JSON.stringify(outcome));
  return outcome;
}

test.each(WIRE)(
  'an answer of %s without a verdict is an error of its kind: $what',
  async (provider, { answer, code, calls, reason, said }) => {
    const error = await errorOf(provider, answer);
    expect(error).toMatchObject({ code, reason: expect.stringMatching(reason) });
    if (said !== undefined) expect(error.said).toMatchObject(said);
    expect(providers.calls).toHaveLength(calls);
  },
);

test.each(EMPTY_ERRORS)(
  'an error without content beside a verdict takes nothing from it: %j',
  async (sent) => {
    providers.always('openai', raw(JSON.stringify(sent)));
    expect((await judgeOnce()).outcome).toMatchObject({ kind: 'verdict', score: 1 });
  },
);

test('a verdict that is sent as a text of another type is none, and the reason names the type', async () => {
  const error = await errorOf('openai', (call, response) =>
    raw(JSON.stringify(envelope(call, '{"reasoning":"a","score":1}')), 'text/plain')(call, response),
  );
  expect(error).toMatchObject({ code: 'JUDGE_UNPARSABLE', reason: expect.stringContaining('"text/plain"') });
});

describe.each(ALL)('of %s scorer_output holds', (provider) => {
  test('finish reason, model and the start of the text of an answer without a verdict', async () => {
    const text = `I rather like it. ${'x'.repeat(2_000)}`;
    const { said } = await errorOf(provider, content(text));
    expect(said).toEqual({
      finish_reason: provider === 'anthropic' ? 'end_turn' : 'stop',
      answer: text.slice(0, 500),
      answered_model: expect.stringMatching(/\S/),
    });
  });

  test("the provider's message and the start of the answer of an error", async () => {
    const { said } = await errorOf(provider, failure(400, { message: `No. ${'y'.repeat(2_000)}` }));
    expect(said).toEqual({
      provider_message: `No. ${'y'.repeat(496)}`,
      answer: expect.stringMatching(/^[[{].*"message":"No\. y+/),
    });
    expect(said?.answer).toHaveLength(500);
  });

  test('nothing of the key, wherever the provider writes it and wherever the text is cut', async () => {
    const escaped = [...KEY]
      .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const bodies = [
      (call: Parameters<Answer>[0]) => JSON.stringify({ ...envelope(call, KEY), [KEY]: KEY }),
      () => `{"error":{"code":"${escaped}","message":"${escaped}"}}`,
      () => `<html>${'z'.repeat(476)}${KEY}</html>`,
      () => `data: ${KEY}\n\n`,
      () => `{"x":"${'z'.repeat(470)}${KEY}"`,
    ];
    for (const status of [200, 400, 401, 403]) {
      for (const body of bodies) {
        const error = await errorOf(provider, (call, response) =>
          raw(body(call), 'application/json', status)(call, response),
        );
        const text = JSON.stringify(error);
        expect(text).not.toContain(KEY.slice(0, 12));
        expect(text).not.toContain(KEY.slice(-12));
        expect(text).not.toContain(escaped.slice(7, 60));
      }
    }
  });

  test('no other field than the code where no answer came', async () => {
    const { said } = await errorOf(provider, (_call, response) => void response.destroy());
    expect(said).toBeUndefined();
    expect(
      (await errorOf(provider, failure(400), { apiKey: new Secret('sk with blank') })).said,
    ).toBeUndefined();
  });
});
