import { describe, expect, test } from '@jest/globals';
import {
  type Answer,
  content,
  failure,
  type ProviderName,
  type Providers,
  verdict,
} from '../../support/providers.ts';
import { startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

/** How providers say that a model, or an older version of an API, takes no schema of the answer. */
const TAKES_NO_SCHEMA: readonly (readonly [ProviderName, string])[] = [
  ['openai', "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."],
  ['openai', 'This model does not support structured outputs.'],
  [
    'azure_openai',
    'response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later',
  ],
  ['google', 'JSON mode is not enabled for models/gemma-3-27b-it'],
  ['anthropic', 'output_config.format: Extra inputs are not permitted'],
  ['anthropic', "'claude-3-haiku-20240307' does not support output format."],
];

const asksBySchema = ({ body }: Providers['calls'][number]): boolean =>
  'response_format' in body || 'output_config' in body;

/** A model that refuses every question with a schema. */
const withoutSchemas =
  (message: string, answer: Answer): Answer =>
  (call, response) =>
    (asksBySchema(call) ? failure(400, { message }) : answer)(call, response);

describe.each(TAKES_NO_SCHEMA)('a model of %s that answers "%s"', (provider, message) => {
  test('is called once more without a schema, in a prompt that demands the object alone', async () => {
    const said = '```json\n{"reasoning":"a","score":0.5}\n```';
    providers.always(provider, withoutSchemas(message, content(said)));
    const { outcome, trace } = await judgeOnce({ provider });
    expect(outcome).toMatchObject({ kind: 'verdict', score: 0.5 });
    expect(trace.waitsMs).toEqual([]);
    expect(providers.calls.map(asksBySchema)).toEqual([true, false]);
    const [first, second] = providers.calls.map(({ system }) => system);
    expect(first).not.toContain('no code fence');
    expect(second).toContain('no code fence');
  });
});

test('a dual-sided verdict is requested in the same way', async () => {
  const said = '{"reasoning":"a","precision":0.5,"recall":1}';
  providers.always('openai', withoutSchemas('response_format', content(said)));
  const { outcome } = await judgeOnce({ dualSided: true });
  expect(outcome).toMatchObject({ kind: 'verdict', precision: 0.5 });
});

test('a plain question is repeated as other questions are, and stays plain', async () => {
  const answers = [content('prose'), verdict({ score: 0.5 })];
  providers.always(
    'openai',
    withoutSchemas('response_format', (call, response) => answers.shift()?.(call, response)),
  );
  expect((await judgeOnce()).outcome).toMatchObject({ kind: 'verdict', score: 0.5 });
  expect(providers.calls.map(asksBySchema)).toEqual([true, false, false]);
});

test('a model that refuses the plain question, too, is called no third time', async () => {
  providers.always('openai', failure(400, { message: 'response_format is broken today' }));
  const { outcome } = await judgeOnce();
  expect(outcome).toMatchObject({
    kind: 'error',
    code: 'JUDGE_REQUEST_REJECTED',
    reason: expect.stringContaining('response_format is broken today'),
  });
  expect(providers.calls).toHaveLength(2);
});

test('another 400 asks for nothing plain', async () => {
  providers.always('openai', failure(400, { message: 'Invalid model parameter' }));
  expect((await judgeOnce()).outcome).toMatchObject({ kind: 'error', code: 'JUDGE_REQUEST_REJECTED' });
  expect(providers.calls).toHaveLength(1);
});
