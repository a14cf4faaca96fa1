import { isFailure, jsonIn, mentionsIn } from './mentions.ts';
import { type Span, type SpanEvent, shownSpan } from './span.ts';
import { isNothing, wordsOf } from './words.ts';

const ERROR_LENGTH_MAX = 2_000;
const FAILS = ['error', 'errors', 'exception', 'exceptions', 'failed', 'failure', 'fault'];
const SUCCEEDS = ['success', 'succeeded', 'successful', 'ok'];
/** Settings may have these words, too. */
const ENDS = /^(?:timeout|timed|cancell?ed|rejected|denied|aborted|interrupted)$/;
const STATES = ['status', 'outcome', 'state', 'level'];
/** Attributes with these words are not of what the tool worked with. */
const OF_CALLS = [
  'tool',
  'toolcall',
  'call',
  'result',
  'mcp',
  'otel',
  'http',
  'rpc',
  'span',
  'observation',
  'traceloop',
  'langsmith',
  'mlflow',
  'langfuse',
  'openinference',
  'logfire',
  'llm',
  'ai',
];
const GOOD =
  /^(?:ok|okay|success|succeeded|successful|completed?|done|finished|default|debug|info|warning|unset|status_code_ok|status_code_unset|true|[123]\d\d|0)$/;
const BAD =
  /^(?:error|err|fail|failed|failure|timeout|timed[ _-]?out|cancell?ed|aborted|rejected|denied|refused|interrupted|incomplete|exception|crashed|killed|status_code_error|false|[45]\d\d)$/;

type Failure = { readonly error?: string | undefined; readonly why?: string };

/** Whether a call failed. A status that is not known, or good beside a failure, is refused. */
export function failureOf(span: Span, results: readonly string[]): Failure {
  const signals = span.events.filter(isFailureEvent).map(({ name }) => name);
  for (const [key, value] of span.attributes) {
    const hasFailed = results.includes(key) ? isFailure(value) : isFailureIn(key, value);
    if (hasFailed === undefined) {
      const shown = JSON.stringify(value)?.slice(0, 100);
      return { why: `has ${key} ${shown} in ${shownSpan(span)}: set the status of the span` };
    }
    if (hasFailed) signals.push(`${key} ${String(value)}`);
  }
  if (span.status === 'error') signals.unshift(span.message || 'failed');
  const [error] = signals;
  if (error === undefined || span.status !== 'ok') return { error: error?.slice(0, ERROR_LENGTH_MAX) };
  return {
    why: `has the status OK and a failure (${error.slice(0, 100)}) in ${shownSpan(span)}: let one be right`,
  };
}

const isFailureEvent = ({ name, attributes }: SpanEvent): boolean =>
  wordsOf(name).some((word) => FAILS.includes(word)) ||
  [...attributes].some(
    ([key, value]) =>
      isFailureIn(key, value) === true || mentionsIn(jsonIn(value)).found.some(({ hasFailed }) => hasFailed),
  );

/** Undefined where the attribute is of the call's outcome and not understood. */
function isFailureIn(key: string, value: unknown): boolean | undefined {
  const words = wordsOf(key);
  const isExitCode = words.slice(-2).join(' ') === 'exit code';
  if (isExitCode || words.some((word) => FAILS.includes(word))) return !isNothing(value);
  if (words.some((word) => ENDS.test(word))) return String(value) === 'true';
  const isSuccess = SUCCEEDS.includes(words.at(-1) ?? '');
  if (!isSuccess && !isOutcome(words)) return false;
  const text = String(value).trim().toLowerCase();
  if (BAD.test(text) || (isSuccess && text === '0')) return true;
  return GOOD.test(text) || isNothing(value) ? false : undefined;
}

function isOutcome(words: readonly string[]): boolean {
  const [last = '', before = ''] = words.toReversed();
  const isState = STATES.includes(last) || (last === 'code' && before === 'status');
  return isState && (STATES.includes(words[0] ?? '') || words.some((word) => OF_CALLS.includes(word)));
}
