export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every kind of log line there is; alarms and tests go by these codes, never by sentences. */
export type LogCode =
  | 'request_completed'
  | 'unexpected_error'
  | 'response_mismatch'
  | 'suite_loaded'
  | 'dead_reference_removed'
  | 'batch_completed'
  | 'case_judged'
  | 'message_invalid'
  | 'message_retained'
  | 'message_failed'
  | 'message_unsent'
  | 'sweep_completed'
  | 'run_unswept'
  | 'purge_failed'
  | 'payment_provider_failed'
  | 'payment_webhook_failed'
  | 'payment_webhook_ignored'
  | 'subscriptions_overlap'
  | 'plan_changed'
  | 'overage_reported'
  | 'overage_unconfirmed'
  | 'overage_report_failed'
  | 'rate_limit_unavailable'
  | 'health_check_failed'
  | 'api_key_created'
  | 'api_key_revoked'
  | 'byok_key_added'
  | 'byok_key_revoked'
  | 'repository_trusted'
  | 'repository_distrusted'
  | 'oidc_issuer_unavailable';

export type Log = (level: LogLevel, code: LogCode, fields?: Record<string, unknown>) => void;

/** One JSON object a line, on standard error: Lambda keeps both streams, a terminal keeps them apart. */
export function createLog(minimum: LogLevel, write = (line: string) => void process.stderr.write(line)): Log {
  const threshold = LOG_LEVELS.indexOf(minimum);
  return (level, code, fields) => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    write(JSON.stringify({ time: new Date().toISOString(), level, code, ...fields }) + '\n');
  };
}

export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.name, message: error.message, stack: error.stack };
}

/** Fields that make a log line a metric of CloudWatch too: its embedded metric format. `at` in ms since 1970. */
export const countMetric = (
  namespace: string,
  name: string,
  value: number,
  at: number,
): Record<string, unknown> => ({
  [name]: value,
  _aws: {
    Timestamp: at,
    CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[]], Metrics: [{ Name: name, Unit: 'Count' }] }],
  },
});
