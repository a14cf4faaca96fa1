import { isDeepStrictEqual } from 'node:util';
import { SCORER_CONFIG_BYTES_MAX } from '../contracts/scorers.ts';
import { unlimitedCheckTime } from './kit/checkTime.ts';
import { parseConfig } from './kit/config.ts';
import type { CheckOptions, ConfigIssue, JudgeQuestion, ScorerDefinition } from './kit/definition.ts';
import { noSides } from './kit/errors.ts';
import { isJsonObject, JSON_DEPTH_MAX, nestsDeeperThan } from './kit/json.ts';
import { contains } from './scorers/contains.ts';
import { exactMatch } from './scorers/exactMatch.ts';
import { jsonPath } from './scorers/jsonPath.ts';
import { jsonSchema } from './scorers/jsonSchema.ts';
import { llmJudge } from './scorers/llmJudge.ts';
import { metric } from './scorers/metric.ts';
import { regex } from './scorers/regex.ts';
import { similarity } from './scorers/similarity.ts';
import { trajectory } from './scorers/trajectory.ts';

/** Every scorer: a new one is its file and its entry here; `npm run docs` then names its type in the contracts. */
export const scorers: readonly ScorerDefinition<unknown>[] = [
  exactMatch,
  regex,
  jsonSchema,
  contains,
  jsonPath,
  similarity,
  metric,
  trajectory,
  llmJudge,
];

export function definitionOf(type: string): ScorerDefinition<unknown> | undefined {
  return scorers.find((definition) => definition.type === type);
}

export interface ConfiguredScorer {
  readonly type: string;
  readonly config: unknown;
}

export function judgeQuestionOf({ type, config }: ConfiguredScorer): JudgeQuestion | undefined {
  const definition = definitionOf(type);
  return definition && 'question' in definition ? definition.question(config) : undefined;
}

/** After this, scorers of these types check and compile without waiting for anything. */
export async function loadScorers(types: Iterable<string | undefined>): Promise<void> {
  const definitions = [...new Set(types)].map((type) => type && definitionOf(type));
  await Promise.all(
    definitions.map((definition) => definition && 'load' in definition && definition.load?.()),
  );
}

export type ConfigValidation =
  | { readonly ok: true; readonly config: Record<string, unknown> }
  | { readonly ok: false; readonly issues: ConfigIssue[] };

/**
 * Checks a scorer's config when it is written, so that a bad pattern is refused then and not in a run. Throws `Unchecked`
 * where the time of the checks is used up.
 */
export async function validateScorerConfig(
  type: string,
  config: unknown,
  { dualSided = false, time = unlimitedCheckTime() }: Partial<CheckOptions> = {},
): Promise<ConfigValidation> {
  const definition = definitionOf(type);
  if (definition === undefined) return refused('type', `there is no scorer type ${type}`);
  if (definition.isOneSided && dualSided) return refused('dual_sided', noSides(type));
  if (!isJsonObject(config)) return refused('config', 'must be an object');
  if (nestsDeeperThan(config, JSON_DEPTH_MAX)) {
    return refused('config', `must not nest deeper than ${JSON_DEPTH_MAX} levels`);
  }
  if (Buffer.byteLength(JSON.stringify(config)) > SCORER_CONFIG_BYTES_MAX) {
    return refused('config', `must not be longer than ${SCORER_CONFIG_BYTES_MAX} bytes of JSON`);
  }
  const parsed = parseConfig(definition, config);
  if (!parsed.ok) return parsed;
  await Promise.all([loadScorers([type]), definition.loadCheck?.()]);
  const issues = definition.check?.(parsed.config, { dualSided, time }) ?? [];
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, config: parsed.config as Record<string, unknown> };
}

/** A stored config with the defaults that its type has by now. */
export function withDefaults({ type, config }: ConfiguredScorer): unknown {
  const definition = definitionOf(type);
  const parsed = definition && parseConfig(definition, config);
  return parsed?.ok ? parsed.config : config;
}

/** The config without the fields that its type fills in with the same value. One that the type refuses is as it is. */
export function withoutDefaults({ type, config }: ConfiguredScorer): Record<string, unknown> {
  const stored = config as Record<string, unknown>;
  const definition = definitionOf(type);
  const complete = definition && parseConfig(definition, stored);
  if (definition === undefined || !complete?.ok) return stored;
  const isFilledIn = (field: string): boolean => {
    const { [field]: _, ...rest } = stored;
    const parsed = parseConfig(definition, rest);
    return parsed.ok && isDeepStrictEqual(parsed.config, complete.config);
  };
  return Object.fromEntries(Object.entries(stored).filter(([field]) => !isFilledIn(field)));
}

function refused(path: string, message: string): ConfigValidation {
  return { ok: false, issues: [{ path, message }] };
}
