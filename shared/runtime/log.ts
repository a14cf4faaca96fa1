const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The log catalogue: every code with what its line reports. Alarms and tests use the codes. */
interface LogCatalogue {
  request_completed: 'An API request was answered: endpoint, status, duration, units of the table.';
  unexpected_error: 'A request failed with an error that is not meant for its caller, who got a 500.';
  batch_completed: 'A batch of queue messages was handled: how many failed, which runs, units of the table.';
  run_ended: 'A run has its verdict, or could not be evaluated: cleared, aborted or inconclusive. Once a run.';
  judge_slots: 'A function took slots at a provider, or released some: the change.';
  case_judged: 'A model judged a case: the provider, and `verdict` or the code of the error.';
  message_invalid: 'A queue message could not be read.';
  message_retained: 'A queue message comes again on purpose: its work is under way elsewhere, or has to wait.';
  message_failed: 'Handling a queue message failed; the message comes again, or goes to the dead letters.';
  message_unsent: 'A queue message could not be sent; a scheduled function sends it later.';
  suite_unpacked: 'What a run read of a suite could not be kept for later runs, which read it again.';
  sweep_completed: 'The sweeper looked at the pending runs of a shard, or of all: how many it ended, reminded of, or failed at.';
  run_unswept: 'The sweeper failed at one pending run; its next invocation tries again.';
  purge_failed: 'Items of something deleted could not be given their time to live; the next invocation goes on.';
  payment_provider_failed: 'A request to the payment provider failed or took too long.';
  payment_webhook_failed: 'An event of the payment provider could not be applied; the provider sends it again.';
  payment_webhook_ignored: 'An event of the payment provider names a customer that no organisation has.';
  subscriptions_overlap: 'An organisation has more than one subscription that bills it.';
  plan_changed: 'An organisation has another plan.';
  overage_reported: 'Runs beyond a plan were reported to the payment provider.';
  overage_unconfirmed: 'A report of overage was given up: whether the provider counted it is not known.';
  overage_report_failed: 'The overage of an organisation could not be reported; the next invocation tries again.';
  rate_limit_unavailable: 'Requests passed without being counted by the rate limit.';
  health_check_failed: 'The table did not answer the health check.';
  api_key_created: 'An API key was created.';
  api_key_revoked: 'An API key was revoked.';
  byok_key_added: 'A BYOK key was stored.';
  operator_command: 'The operator made an organisation, set a plan or made an API key.';
  byok_key_revoked: 'A BYOK key was revoked.';
  sign_in_changed: "The provider of an organisation's sign-ins was set or deleted.";
  person_sessions_ended: 'The sessions of a person, or of all persons, were ended.';
  issuer_trusted: 'An issuer was registered under conditions: its CI jobs get tokens.';
  issuer_distrusted: 'The registration of an issuer was deleted.';
  organisation_deletion_begun: 'The deletion of an organisation was begun: it goes after seven days.';
  organisation_restored: 'The deletion of an organisation was taken back.';
  organisation_deleted: 'All items of an organisation were deleted.';
  oidc_issuer_unavailable: 'Discovery or keys of the issuer of GitHub Actions could not be fetched.';
  trusted_issuer_unavailable: 'Discovery or keys of an issuer that a customer named could not be fetched.';
}
export type LogCode = keyof LogCatalogue;

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
  timeMs: number,
): Record<string, unknown> => ({
  [name]: value,
  _aws: {
    Timestamp: timeMs,
    CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[]], Metrics: [{ Name: name, Unit: 'Count' }] }],
  },
});
