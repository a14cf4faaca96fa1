type FrontLogCode =
  | 'engine_ended'
  | 'http_server_failed'
  | 'queue_unreachable'
  | 'invocation_failed'
  | 'sweep_failed'
  | 'payment_event_undelivered'
  | 'payment_simulation_failed'
  | 'unhandled_rejection'
  | 'demo_not_made'
  | 'stop_failed';

/** Writes a JSON line to stderr in the handlers' shape. stdout is for the user. */
export function logLine(level: 'warn' | 'error', code: FrontLogCode, fields: Record<string, unknown>): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, code, ...fields })}\n`);
}
