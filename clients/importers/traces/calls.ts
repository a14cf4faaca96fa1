import { caseTwins } from '../../../shared/scoring/kit/reading/caseTwins.ts';
import { holdsLarge } from '../../../shared/scoring/kit/reading/expected.ts';
import type { Call, Trace } from '../../../shared/scoring/kit/trace.ts';
import { looksLikeKey } from '../imports/keys.ts';
import type { Difference } from '../imports/report.ts';

/** What a case expects at most: calls, and calls of one step. */
const CALLS_MAX = 100;
const STEP_MAX = 8;
const PROSE_LENGTH_MAX = 80;
/** Of a tool and a member in the report. */
const SHOWN_MAX = 200;

export const KEY_LEFT_OUT = 'what looks like a key of a service, which is left out';
const PROSE = 'prose, which is not compared (--arguments all compares it)';
const LARGE = 'a number beyond 2^53, which equals none';
const UNWRITABLE = 'what no file of a suite holds: deeper than 50 levels, or the name __proto__';
const DEPTH_MAX = 50;
const UNDONE = 'a call that failed, or whose arguments are no JSON object, which is not expected';

/** The calls that a trace shows, as a case expects them. */
export interface ExpectedCalls {
  readonly expected: readonly unknown[];
  /** What is not compared, by tool and member. */
  readonly differences: readonly Difference[];
}

export function expectedCalls(trace: Trace, comparesProse: boolean): ExpectedCalls {
  const doneCalls = trace.filter(isDone);
  const undone = trace.filter((call) => !isDone(call)).map(({ tool }) => ({ reason: UNDONE, type: tool }));
  const differences: Difference[] = undone;
  const steps = [...Map.groupBy(doneCalls, ({ step }) => step).values()];
  const expected = steps.map((step) => {
    const calls = step.map((call) => expectedCall(call, comparesProse, differences));
    return calls.length === 1 ? calls[0] : calls;
  });
  return { expected, differences };
}

const isDone = ({ failed, malformed }: Call): boolean => !failed && !malformed;

/** Why a trace is more than a case can expect. */
export function whyTooLong(expected: readonly unknown[]): string | undefined {
  const count = expected.flat().length;
  if (count > CALLS_MAX) return `has ${count} calls, and a case expects at most ${CALLS_MAX}`;
  const widest = Math.max(0, ...expected.map((step) => (Array.isArray(step) ? step.length : 1)));
  return widest > STEP_MAX
    ? `has ${widest} calls that were made at once, and a case expects at most ${STEP_MAX}`
    : undefined;
}

function expectedCall(
  { tool, text, arguments: given }: Call,
  comparesProse: boolean,
  differences: Difference[],
) {
  const isCompared = (value: unknown, name: string): boolean => {
    const reason = whyLeftOut(value, name, comparesProse);
    const type = name === '' || looksLikeKey(name) ? tool : `${tool}.${name}`.slice(0, SHOWN_MAX);
    if (reason !== undefined) differences.push({ reason, type });
    return reason === undefined;
  };
  if (text !== undefined) return isCompared(text, '') ? { tool, arguments: text } : { tool };
  const members = Object.entries(given ?? {});
  const compared = members.filter(([name, value]) => isCompared(value, name));
  if (compared.length === members.length) return given ? { tool, arguments: given } : { tool };
  // Of two names that differ by case only, none can be compared alone.
  if (compared.length === 0 || caseTwins(given).size > 0) return { tool };
  return { tool, arguments_include: Object.fromEntries(compared) };
}

function whyLeftOut(value: unknown, name: string, comparesProse: boolean): string | undefined {
  if (isSecret([name, value])) return KEY_LEFT_OUT;
  if (!isWritable({ [name]: value })) return UNWRITABLE;
  if (holdsLarge(value)) return LARGE;
  return isProse(value) && !comparesProse ? PROSE : undefined;
}

const isSecret = ([name, value]: readonly [string, unknown]): boolean =>
  looksLikeKey(name) || looksLikeKey(value);

/** As a value in the file of a suite. */
export function isWritable(value: unknown, levels = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const members = Object.entries(value);
  return (
    levels > 0 && members.every(([name, inner]) => name !== '__proto__' && isWritable(inner, levels - 1))
  );
}

function isProse(value: unknown): boolean {
  if (typeof value === 'string') return value.length > PROSE_LENGTH_MAX || /[\n\r]/.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(isProse);
}

/** The trace in evalgate's form, without messages and without what looks like a key. */
export const entriesOf = (trace: Trace): object[] =>
  trace
    .toSorted((one, other) => one.at - other.at)
    .map((call) => ({
      type: 'call',
      tool: call.tool,
      id: String(call.at),
      step: call.step,
      // Which call a sub-agent is of changes when results came only, and those that came late are left out.
      ...(call.nested && { parent: '1' }),
      ...argumentsOf(call),
      ...(!isDone(call) && { error: call.failed ? 'failed' : 'its arguments are no JSON object' }),
      ...resultOf(call),
    }));

function argumentsOf({ text, arguments: members }: Call): object {
  if (text !== undefined) return looksLikeKey(text) ? {} : { arguments: text };
  if (members === undefined) return {};
  return { arguments: Object.fromEntries(Object.entries(members).filter((member) => !isSecret(member))) };
}

/** A text is written as JSON, so that it is read as that text. */
function resultOf({ result, since }: Call): object {
  if (result === undefined || since !== undefined || looksLikeKey(result)) return {};
  return { result: typeof result === 'string' ? JSON.stringify(result) : result };
}
