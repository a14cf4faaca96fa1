import { figure, finishReason, levenshtein, rouge } from './figures.ts';
import { javascript } from './javascript.ts';
import { containsJson, isJson } from './json.ts';
import { factuality, gEval, llmRubric } from './judged.ts';
import { isRefusal } from './refusals.ts';
import { skillUsed } from './skills.ts';
import { all, any, containsOne, endsWith, equals, regex, startsWith } from './texts.ts';
import { knownTools, stepCount, toolArgsMatch, toolCallF1, toolSequence, toolUsed } from './trajectory.ts';
import type { Mapping } from './types.ts';
import { wordCount } from './wordCount.ts';

const AS_WRITTEN = { isFolded: false };
const IN_ANY_CASE = { isFolded: true };

/** By type, without `not-`. Whatever is not here is not mapped. */
export const MAPPINGS: ReadonlyMap<string, Mapping> = new Map([
  ['contains', containsOne(AS_WRITTEN)],
  ['contains-all', all(AS_WRITTEN)],
  ['contains-any', any(AS_WRITTEN)],
  ['icontains', containsOne(IN_ANY_CASE)],
  ['icontains-all', all(IN_ANY_CASE)],
  ['icontains-any', any(IN_ANY_CASE)],
  ['equals', equals],
  ['starts-with', startsWith],
  ['ends-with', endsWith],
  ['regex', regex],
  ['is-json', isJson],
  ['contains-json', containsJson],
  ['llm-rubric', llmRubric],
  ['g-eval', gEval],
  ['factuality', factuality],
  ['latency', figure('latency_ms')],
  ['cost', figure('cost_usd')],
  ['finish-reason', finishReason],
  ['levenshtein', levenshtein],
  ['rouge-n', rouge],
  ['javascript', javascript],
  ['is-refusal', isRefusal],
  ['word-count', wordCount],
  ['trajectory:tool-used', toolUsed],
  ['trajectory:tool-sequence', toolSequence],
  ['trajectory:tool-args-match', toolArgsMatch],
  ['trajectory:step-count', stepCount],
  ['tool-call-f1', toolCallF1],
  ['is-valid-openai-tools-call', knownTools],
  ['skill-used', skillUsed],
]);
