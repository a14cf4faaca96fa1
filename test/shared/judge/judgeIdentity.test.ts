import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PROVIDERS } from '../../../shared/domain/byok/providers.ts';
import { judgeAnswerSchema } from '../../../shared/judge/judgeAnswer.ts';
import { createJudgeIdentity } from '../../../shared/judge/judgeIdentity.ts';
import * as templates from '../../../shared/judge/prompts/verdict.ts';
import { PROMPT_VERSION } from '../../../shared/judge/prompts/version.ts';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { resolveTarget } from '../../../shared/judge/target.ts';
import { documentDigest } from '../../../shared/scoring/digest/documents.ts';
import { SCORING_VERSION } from '../../../shared/scoring/digest/suiteDigest.ts';

const identityOf = (env: Record<string, string> = {}) => createJudgeIdentity(judgeSettingsFromEnv(env));

test('the prompt version is the digest of the templates and of both schemas of a verdict', () => {
  const schemas = [judgeAnswerSchema(false), judgeAnswerSchema(true)];
  expect(PROMPT_VERSION).toBe(documentDigest({ templates: { ...templates }, schemas }));
});

/**
 * A change of one of these changes the digests of customers' suites, and pipelines that expect the former digest are
 * refused: the golden file is changed with them, on purpose.
 */
test('the scoring version, the prompt version and the default models are those of the golden file', () => {
  const golden = JSON.parse(readFileSync(new URL('./judgeIdentity.golden.json', import.meta.url), 'utf8'));
  const models = PROVIDERS.map((provider) => [provider, identityOf()(provider, undefined).model ?? null]);
  expect({
    scoring: SCORING_VERSION,
    prompt_version: PROMPT_VERSION,
    default_models: Object.fromEntries(models),
  }).toEqual(golden);
});

test.each([
  ['openai', undefined, 'gpt-test'],
  ['provider_a', undefined, 'gpt-test'],
  ['openai', ' named ', 'named'],
  ['anthropic', undefined, 'claude-sonnet-5-5'],
] as const)('for %s and the model %s it names the called model', (provider, model, expected) => {
  const env = { JUDGE_MODEL_OPENAI: 'gpt-test' };
  const judge = identityOf(env)(provider, model);
  expect(judge.model).toBe(expected);
  expect(resolveTarget(judge.provider, model, judgeSettingsFromEnv(env))).toMatchObject({ model: expected });
});

test('a deployment of Azure is named with its endpoint', () => {
  const model = 'https://one.openai.azure.com|judge';
  expect(identityOf()('provider_a_cloud', model)).toMatchObject({ provider: 'azure_openai', model });
});

test('there is no model where neither the scorer nor the deployment names one', () => {
  expect(identityOf()('azure_openai', undefined).model).toBeUndefined();
});

test('its version changes with every default model, and with nothing else of the environment', () => {
  const variables = ['OPENAI', 'ANTHROPIC', 'GOOGLE', 'AZURE_OPENAI'].map((name) => `JUDGE_MODEL_${name}`);
  const versions = variables.map((name) => identityOf({ [name]: 'another' }).version);
  expect(new Set([identityOf().version, ...versions]).size).toBe(5);
  expect(identityOf({ OPENAI_BASE_URL: 'http://127.0.0.1:9' }).version).toBe(identityOf().version);
});
