import { counted } from './numbers.ts';
import type { ReportedRun } from './types.ts';

/** `63 judge calls, 41 k + 6 k tokens, 12 remembered`: tokens of questions, then of answers. Undefined without judges. */
export function judgeUsageText({ judge_usage }: Pick<ReportedRun, 'judge_usage'>): string | undefined {
  if (!judge_usage) return undefined;
  const { calls, remembered, input_tokens, output_tokens } = judge_usage;
  const tokens = `${thousands(input_tokens)} + ${thousands(output_tokens)} tokens`;
  return `${counted(calls, 'judge call')}, ${tokens}${remembered > 0 ? `, ${remembered} remembered` : ''}`;
}

const thousands = (tokens: number): string =>
  tokens < 1_000 ? `${tokens}` : `${Math.round(tokens / 1_000)} k`;
