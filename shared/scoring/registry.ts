import type { ScorerType } from '../contracts/scorers.ts';
import { isJsonObject, MAX_JSON_DEPTH, nestsDeeperThan } from './compare/json.ts';
import { parseConfig } from './config.ts';
import { contains } from './scorers/contains.ts';
import { exactMatch } from './scorers/exactMatch.ts';
import { jsonSchema } from './scorers/jsonSchema.ts';
import { llmJudge } from './scorers/llmJudge.ts';
import { regex } from './scorers/regex.ts';
import type { Issue, ScorerDefinition, ScorerOptions } from './types.ts';

/** Every scorer there is; a new one is its file and a line here. */
export const scorers = {
  exact_match: exactMatch,
  regex,
  json_schema: jsonSchema,
  contains,
  llm_judge: llmJudge,
} satisfies Record<ScorerType, ScorerDefinition<unknown>>;

export function definitionOf(type: string): ScorerDefinition<unknown> | undefined {
  const all: Record<string, ScorerDefinition<unknown>> = scorers;
  return Object.hasOwn(all, type) ? all[type] : undefined;
}

/** After this, scorers of these types check and compile without waiting for anything. */
export async function loadScorers(types: Iterable<string | undefined>): Promise<void> {
  await Promise.all([...new Set(types)].map((type) => type && definitionOf(type)?.load?.()));
}

const MAX_CONFIG_BYTES = 128 * 1024;

export type ConfigValidation =
  | { readonly ok: true; readonly config: Record<string, unknown> }
  | { readonly ok: false; readonly issues: Issue[] };

/** Checks a scorer's config when it is written, so that a bad pattern is refused then and not in a run. */
export async function validateScorerConfig(
  type: ScorerType,
  config: unknown,
  options: ScorerOptions = { dualSided: false },
): Promise<ConfigValidation> {
  const definition = definitionOf(type);
  if (definition === undefined) return refused('type', `there is no scorer type ${type}`);
  if (!isJsonObject(config)) return refused('config', 'must be an object');
  if (nestsDeeperThan(config, MAX_JSON_DEPTH)) {
    return refused('config', `must not nest deeper than ${MAX_JSON_DEPTH} levels`);
  }
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES) {
    return refused('config', `must not be longer than ${MAX_CONFIG_BYTES} bytes of JSON`);
  }
  const parsed = parseConfig(definition, config);
  if (!parsed.ok) return parsed;
  await definition.load?.();
  const issues = definition.check?.(parsed.config, options) ?? [];
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, config: parsed.config as Record<string, unknown> };
}

function refused(path: string, message: string): ConfigValidation {
  return { ok: false, issues: [{ path, message }] };
}
