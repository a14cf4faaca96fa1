import type { Random } from '../random.ts';

interface Call {
  readonly type: 'call';
  readonly tool: string;
  readonly arguments: { readonly of: string };
  readonly error?: string;
}

/** What an agent did, in the form in which it is sent. */
export type SentTrace = readonly Call[];

/** `of`: no other output's agent makes the same calls. */
export function drawTrace(random: Random, of: string): SentTrace {
  const call = (tool: string, more: Partial<Call> = {}): Call => ({
    type: 'call',
    tool,
    arguments: { of },
    ...more,
  });
  return random.pick<SentTrace>([
    [],
    [call('ok')],
    [call('look'), call('ok')],
    [call('look'), call('look')],
    [call('ok', { error: 'timeout' })],
    [call('ok'), call('drop', { error: 'denied' })],
  ]);
}

/** The normal form, which is digested. */
export const normalTrace = (trace: SentTrace): readonly object[] =>
  trace.map(({ tool, arguments: members, error }, step) => ({
    tool,
    arguments: members,
    step,
    ...(error !== undefined && { failed: true }),
  }));

export const isForbidden = (trace: SentTrace): boolean => trace.some(({ tool }) => tool === 'drop');

export const traceScore = (trace: SentTrace): number =>
  Number(!isForbidden(trace) && trace.some(({ tool, error }) => tool === 'ok' && error === undefined));
