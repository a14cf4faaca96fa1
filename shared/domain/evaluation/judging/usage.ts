import type { VerdictRecord } from '../../runs/ports.ts';
import type { ChunkSummary, JudgeTokens } from '../evaluation.ts';
import type { JudgedSample } from '../ports.ts';
import type { TokenUsage } from './ports.ts';

export const sumOfUsage = (...usages: readonly (TokenUsage | undefined)[]): TokenUsage => ({
  input_tokens: usages.reduce((sum, usage) => sum + (usage?.input_tokens ?? 0), 0),
  output_tokens: usages.reduce((sum, usage) => sum + (usage?.output_tokens ?? 0), 0),
});

/** Of the samples of a chunk. */
export function tokensOf(judged: Iterable<JudgedSample>): JudgeTokens {
  const samples = [...judged];
  const remembered = samples.filter(({ result }) => result.scorer_output.remembered_at !== undefined).length;
  return { remembered, ...sumOfUsage(...samples.map(({ usage }) => usage)) };
}

/** Of a run. Null where no model judges any of its cases. */
export function judgeUsageOf(chunks: readonly ChunkSummary[]): VerdictRecord['judge_usage'] {
  const judged = chunks.flatMap(({ judge }) => judge ?? []);
  if (judged.length === 0) return null;
  const sumOf = (field: keyof (typeof judged)[number]) => judged.reduce((sum, one) => sum + one[field], 0);
  return {
    calls: sumOf('calls'),
    remembered: sumOf('remembered'),
    input_tokens: sumOf('input_tokens'),
    output_tokens: sumOf('output_tokens'),
  };
}
