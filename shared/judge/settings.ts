import * as z from 'zod';
import type { Resolve } from '../connection/address.ts';
import { ALLOWLIST_ENTRY } from '../connection/endpoint.ts';
import type { Provider } from '../domain/byok/providers.ts';
import { CALL_MS_MAX, caseMsMax } from '../domain/evaluation/limits.ts';
import { type DefaultModels, defaultModelsOf, modelVariables, setVariables } from './models.ts';

export interface JudgeSettings {
  readonly baseUrls: Readonly<Record<Exclude<Provider, 'azure_openai'>, string>>;
  readonly defaultModels: DefaultModels;
  readonly azureApiVersion: string;
  /** `host:port` of Azure endpoints that need not be Microsoft's and may be private. */
  readonly endpointAllowlist: readonly string[];
  /** From the first byte sent to the last byte received. */
  readonly callTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** A case begins no further call that could not end within this time. Waits for slots do not count. */
  readonly caseTimeoutMs: number;
  /** Resolves host names. Undefined: the system's resolver. */
  readonly resolve?: Resolve;
}

const GOOGLE_COMPATIBLE_PATH = '/v1beta/openai';

const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''));

/** The Gemini variable is commonly set to the origin; the OpenAI-compatible API is at a path below it. */
const googleBaseUrl = baseUrl.transform((url) =>
  new URL(url).pathname === '/' ? url + GOOGLE_COMPATIBLE_PATH : url,
);

const allowlist = z.string().transform((text, context) => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  const wrong = entries.find((entry) => !ALLOWLIST_ENTRY.test(entry));
  if (wrong === undefined) return entries;
  context.addIssue({ code: 'custom', message: `"${wrong}" is not of the form host:port` });
  return z.NEVER;
});

export const judgeVariablesSchema = z
  .object({
    OPENAI_BASE_URL: baseUrl.default('https://api.openai.com/v1'),
    ANTHROPIC_BASE_URL: baseUrl.default('https://api.anthropic.com'),
    GOOGLE_GEMINI_BASE_URL: googleBaseUrl.default(
      `https://generativelanguage.googleapis.com${GOOGLE_COMPATIBLE_PATH}`,
    ),
    JUDGE_ENDPOINT_ALLOWLIST: allowlist.default([]),
    ...modelVariables,
    /** Older dated versions do not serve reasoning models. */
    AZURE_OPENAI_API_VERSION: z.string().default('2025-04-01-preview'),
    JUDGE_CALL_TIMEOUT_MS: z.coerce.number().int().min(1).max(CALL_MS_MAX).default(45_000),
  })
  .transform(
    (env): JudgeSettings => ({
      baseUrls: {
        openai: env.OPENAI_BASE_URL,
        anthropic: env.ANTHROPIC_BASE_URL,
        google: env.GOOGLE_GEMINI_BASE_URL,
      },
      defaultModels: defaultModelsOf(env),
      azureApiVersion: env.AZURE_OPENAI_API_VERSION,
      endpointAllowlist: env.JUDGE_ENDPOINT_ALLOWLIST,
      callTimeoutMs: env.JUDGE_CALL_TIMEOUT_MS,
      connectTimeoutMs: 5_000,
      caseTimeoutMs: caseMsMax(env.JUDGE_CALL_TIMEOUT_MS),
    }),
  );

/** Fails the cold start with the names of the variables that are wrong. A blank variable counts as not set. */
export function judgeSettingsFromEnv(env: Readonly<Record<string, string | undefined>>): JudgeSettings {
  const parsed = judgeVariablesSchema.safeParse(setVariables(env));
  if (parsed.success) return parsed.data;
  throw new Error(`Environment variables of the judge are wrong:\n${z.prettifyError(parsed.error)}`);
}
