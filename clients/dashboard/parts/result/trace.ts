import type { RunResult } from '../../../sdk/index.ts';

/** A call of a tool, as the excerpt of a trace has it. */
export interface Call {
  /** From 1. */
  readonly place: number;
  readonly tool: string;
  readonly args: string;
  readonly hasFailed: boolean;
  /** Made at once with the one before. */
  readonly isParallel: boolean;
}

const NAME = /[\w.:/-]{1,60}|"(?:[^"\\]|\\.)*"/y;
const LINK = /( failed)?(?:( → | ∥ )|$)/y;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Where the brackets that are open at `from` close again, strings apart; -1 where they don't. */
function closing(text: string, from: number): number {
  let isString = false;
  for (let index = from; index < text.length; index++) {
    const character = text[index];
    if (isString && character === '\\') index += 1;
    else if (character === '"') isString = !isString;
    else if (character === ')' && !isString) return index;
  }
  return -1;
}

/** The end of the arguments that begin at `from`. Long ones were cut, and end with `…`. */
function endOfArguments(text: string, from: number): number {
  if (text.startsWith('no JSON object)', from)) return from + 'no JSON object'.length;
  const end = closing(text, from);
  if (end !== -1 && isJson(text.slice(from, end))) return end;
  const cut = text.indexOf('…)', from);
  return cut === -1 ? -1 : cut + 1;
}

/** `a({"x":1}) ∥ b({}) → c(…) failed` as a list; undefined where it can't be read for sure. */
export function callsOf(excerpt: string): readonly Call[] | undefined {
  const calls: Call[] = [];
  for (let index = 0, isParallel = false; index < excerpt.length; ) {
    NAME.lastIndex = index;
    const [tool] = NAME.exec(excerpt) ?? [];
    if (tool === undefined || excerpt[index + tool.length] !== '(') return undefined;
    const begin = index + tool.length + 1;
    const end = endOfArguments(excerpt, begin);
    if (end === -1) return undefined;
    LINK.lastIndex = end + 1;
    const link = LINK.exec(excerpt);
    if (link === null) return undefined;
    const [all, failed, next] = link;
    const args = excerpt.slice(begin, end);
    calls.push({ place: calls.length + 1, tool, args, hasFailed: failed !== undefined, isParallel });
    isParallel = next === ' ∥ ';
    index = end + 1 + all.length;
  }
  return calls;
}

/** A call that a scorer wants. */
export interface ExpectedCall {
  /** Where it stands, such as `1`, or `1.0` in a group without an order. */
  readonly name: string;
  readonly stage: number;
  readonly tool: string;
  /** As JSON; empty where any will do. */
  readonly args: string;
}

/** The calls that were to be made; undefined where they are not known, or cut. */
export function expectedCallsOf({
  scorer_output,
  expected_calls,
  expected_excerpt,
}: Pick<RunResult, 'scorer_output' | 'expected_calls' | 'expected_excerpt'>):
  | readonly ExpectedCall[]
  | undefined {
  if (!('out_of_order' in scorer_output)) return undefined;
  try {
    const wishes: unknown = JSON.parse(expected_calls ?? expected_excerpt ?? '');
    if (!Array.isArray(wishes)) return undefined;
    return wishes.flatMap((wish, stage) => {
      const group: readonly Listed[] = Array.isArray(wish) ? wish : [wish];
      return group.map((call, index): ExpectedCall => {
        const args = call.arguments ?? call.arguments_include;
        return {
          name: Array.isArray(wish) ? `${stage}.${index}` : `${stage}`,
          stage,
          tool: String(call.tool),
          args: args === undefined ? '' : JSON.stringify(args),
        };
      });
    });
  } catch {
    return undefined;
  }
}

/** What a call that is out of order came before, or after, though the scorer wants it otherwise. */
export function misplacedBy(
  calls: readonly Call[],
  expectedCalls: readonly ExpectedCall[],
  place: number | undefined,
): { readonly word: 'before' | 'after'; readonly call: Call } | undefined {
  const stagesOf = (tool: string | undefined): readonly number[] =>
    expectedCalls.filter((one) => one.tool === tool).map(({ stage }) => stage);
  const ownStages = stagesOf(calls.find((call) => call.place === place)?.tool);
  const find = (isThere: (call: Call) => boolean, isWrong: (stage: number, other: number) => boolean) =>
    calls.find(
      (call) =>
        isThere(call) && stagesOf(call.tool).some((one) => ownStages.every((other) => isWrong(one, other))),
    );
  if (place === undefined || ownStages.length === 0) return undefined;
  const later = find(
    (call) => call.place > place,
    (stage, other) => stage < other,
  );
  if (later) return { word: 'before', call: later };
  const earlier = find(
    (call) => call.place < place,
    (stage, other) => stage > other,
  );
  return earlier && { word: 'after', call: earlier };
}

/** What a scorer found in a trace: calls by their places, and what was not called. */
export interface Marks {
  readonly forbidden: ReadonlySet<number>;
  readonly surplus: ReadonlySet<number>;
  readonly outOfOrder: number | undefined;
  /** The names of what is wanted. */
  readonly missing: ReadonlySet<string>;
}

interface Listed {
  readonly tool?: unknown;
  readonly call?: unknown;
  readonly place?: unknown;
  readonly arguments?: unknown;
  readonly arguments_include?: unknown;
}

const listIn = (value: unknown): readonly Listed[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];

const placesIn = (value: unknown): ReadonlySet<number> =>
  new Set(listIn(value).map(({ call }) => Number(call)));

export function marksOf({ scorer_output: scorerOutput }: Pick<RunResult, 'scorer_output'>): Marks {
  const [first] = listIn([scorerOutput.out_of_order]);
  return {
    forbidden: placesIn(scorerOutput.forbidden),
    surplus: placesIn(scorerOutput.surplus),
    outOfOrder: first === undefined ? undefined : Number(first.call),
    missing: new Set(listIn(scorerOutput.missing).map(({ place }) => String(place))),
  };
}

/** Whether as many calls were read as were judged: with more of them, one was made up of the arguments of another. */
export const isWholeTrace = (
  calls: readonly Call[],
  { scorer_output: scorerOutput }: Pick<RunResult, 'scorer_output'>,
) => typeof scorerOutput.calls !== 'number' || calls.length === scorerOutput.calls;
