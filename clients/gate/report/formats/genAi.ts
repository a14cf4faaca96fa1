/** Names of OpenTelemetry's conventions for generative AI, which are still changing. */
export const EVALUATION_RESULT = 'gen_ai.evaluation.result';

export const ATTRIBUTES = {
  name: 'gen_ai.evaluation.name',
  score: 'gen_ai.evaluation.score.value',
  label: 'gen_ai.evaluation.score.label',
  explanation: 'gen_ai.evaluation.explanation',
  error: 'error.type',
} as const;

/** The labels that its examples have. */
export const LABELS = { passed: 'pass', failed: 'fail' } as const;
