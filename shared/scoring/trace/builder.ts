import { digested } from '../digest/call.ts';
import { canonicalText } from '../digest/documents.ts';
import { quote } from '../kit/text.ts';
import {
  type Call,
  type CallArguments,
  fail,
  type ReadTrace,
  TOOL_LENGTH_MAX,
  TRACE_CALLS_MAX,
  type TracePath,
} from '../kit/trace.ts';
import { isParallel, isToolName, type NamedCall, unfolded } from './parallel.ts';

interface Draft extends NamedCall {
  readonly isNested: boolean;
  readonly step: number;
  failed: boolean;
  readonly isRequest: boolean;
  /** Only asked for, and made by a later call. */
  isReplaced: boolean;
  /** What it answered, and the step after that. */
  answer?: Answer;
  /** The call whose sub-agent made it. */
  readonly parent: Draft | undefined;
  /** The last step of it and of the calls within it. */
  lastStep: number;
}

interface Answer {
  /** Undefined where it is not known, also where there are several. */
  readonly result: unknown;
  readonly since: number;
}

interface MadeCall {
  readonly tool: unknown;
  readonly known: CallArguments;
  /** By which its result, or the calls of a sub-agent, name it. */
  readonly id?: unknown;
  readonly failed?: boolean;
  /** The id of the call whose sub-agent made it. */
  readonly parent?: unknown;
  /** What the tool answered, where the call itself has it. */
  readonly result?: unknown;
  /** It only asks whether the call may be made. */
  readonly isRequest?: boolean;
}

/** What stands where a call ended. */
interface Ended {
  readonly failed: boolean;
  /** What the tool answered, as JSON; undefined where it is not known. */
  readonly result: unknown;
}

/** Collects what a reader of one format finds, in its order. */
export class TraceBuilder {
  readonly #drafts: Draft[] = [];
  /** Ids may repeat in later turns: it names the latest call, or calls that were written as one. */
  readonly #byId = new Map<string, readonly [Draft, ...Draft[]]>();
  #step = 0;
  #isStepOpen = false;
  #output = '';
  #isOfAgent = false;

  /** `path`: of what has the tool's name, in the field `named`. */
  call(
    path: TracePath,
    named: string,
    { tool, known, id, failed = false, parent, isRequest = false, result }: MadeCall,
  ): void {
    if (!isToolName(tool)) {
      fail([...path, named], `must be the name of a tool, 1 to ${TOOL_LENGTH_MAX} characters`);
    }
    const [first, ...otherCalls] = isParallel(tool) ? unfolded(tool, known) : ([{ tool, known }] as const);
    const outer = typeof parent === 'string' ? this.#byId.get(parent)?.[0] : undefined;
    const state = {
      isNested: parent !== undefined,
      failed,
      step: this.#step,
      isRequest,
      isReplaced: false,
      parent: outer,
      lastStep: this.#step,
    };
    const drafts = [{ ...first, ...state }, ...otherCalls.map((call) => ({ ...call, ...state }))] as const;
    if (this.#drafts.length + drafts.length > TRACE_CALLS_MAX) fail([], 'must hold at most 1,000 calls');
    this.#drafts.push(...drafts);
    for (let above = outer; above !== undefined; above = above.parent) above.lastStep = this.#step;
    if (result !== undefined) keepAnswer(drafts, { result, since: this.#step + 1 });
    this.#isOfAgent = true;
    this.#isStepOpen = true;
    this.#output = '';
    if (typeof id !== 'string') return;
    if (this.#byId.get(id)?.[0].step === this.#step) {
      fail(path, `has the id ${quote(id)} of a call of the same step: its result would be that of both`);
    }
    this.#byId.set(id, drafts);
  }

  /** What comes next was not made at once with the calls before. */
  endStep(): void {
    if (!this.#isStepOpen) return;
    this.#step += 1;
    this.#isStepOpen = false;
  }

  /** A result. `path`: of what has the id, in the field `named`. */
  answers(path: TracePath, named: string, id: unknown, { failed, result }: Ended): void {
    const drafts = this.known(path, named, id);
    for (const draft of drafts) draft.failed ||= failed;
    keepAnswer(drafts, { result, since: this.#isStepOpen ? this.#step + 1 : this.#step });
  }

  /** The calls of an id. Refused where no call before has it: a trace that lacks calls cannot be judged. */
  known(path: TracePath, named: string, id: unknown): readonly [Draft, ...Draft[]] {
    const drafts = typeof id === 'string' ? this.#byId.get(id) : undefined;
    return (
      drafts ??
      fail([...path, named], 'must be the id of a call before it: send all calls, or leave the result out')
    );
  }

  /** A call that was asked for before is made: the request is none of its own. Whatever else has the id stays a call. */
  grants(tool: unknown, id: unknown): void {
    const [draft] = typeof id === 'string' ? (this.#byId.get(id) ?? []) : [];
    if (draft?.isRequest && draft.tool === tool) draft.isReplaced = true;
  }

  /** The text of a message of the assistant after its last call. */
  says(text: string): void {
    this.#isOfAgent = true;
    this.#output = text;
  }

  /** A message of the user: what the agent wrote before is no answer to it. */
  hears(): void {
    this.#output = '';
  }

  /** `isEmpty`: the list itself has no entry. A list of what others wrote does not show that the agent called nothing. */
  build(isEmpty: boolean): ReadTrace {
    if (!isEmpty && !this.#isOfAgent)
      fail(
        [],
        'has no message and no call of the agent: send what it wrote, or an empty list if it called nothing',
      );
    const kept = this.#drafts.filter(({ isReplaced }) => !isReplaced);
    const steps = [...new Set(kept.map(({ step }) => step))];
    const places = new Map(steps.map((step, place) => [step, place]));
    const placeFrom = (step: number): number =>
      places.get(step) ?? places.get(steps.find((one) => one > step) ?? -1) ?? steps.length;
    const calls = kept.map((draft, index) => callOf(draft, index + 1, placeFrom));
    const trace = inNormalOrder(calls);
    return this.#output === '' ? { trace } : { trace, output: this.#output };
  }
}

/** The result of calls that were written as one is that of none of them, and of two results none is. */
function keepAnswer([draft, ...otherDrafts]: readonly [Draft, ...Draft[]], answer: Answer): void {
  if (otherDrafts.length > 0) return;
  draft.answer = draft.answer === undefined ? answer : { ...answer, result: undefined };
}

/** `placeFrom`: which step of the normal form is the first from a step on. */
function callOf(draft: Draft, at: number, placeFrom: (step: number) => number): Call {
  const { tool, known, failed, isNested, answer } = draft;
  const call: Call = { tool, ...known, step: placeFrom(draft.step), at };
  const hasResult = answer?.result !== undefined;
  if (!failed && !isNested && !hasResult) return call;
  // A call ends after those within it.
  const since = placeFrom(Math.max(answer?.since ?? 0, draft.lastStep + 1));
  return {
    ...call,
    ...(failed && { failed }),
    ...(isNested && { nested: isNested }),
    ...(hasResult && { result: answer.result }),
    ...(hasResult && since !== call.step + 1 && { since }),
  };
}

/** Calls of one step are neither before nor after each other. */
function inNormalOrder(calls: readonly Call[]): Call[] {
  const ordered: Call[] = [];
  for (let from = 0; from < calls.length; ) {
    let to = from + 1;
    while (calls[to]?.step === calls[from]?.step) to += 1;
    ordered.push(...(to === from + 1 ? calls.slice(from, to) : sorted(calls.slice(from, to))));
    from = to;
  }
  return ordered;
}

/** By results only where all else is equal: the order is the same without those that no rule reads. */
const sorted = (calls: readonly Call[]): Call[] =>
  calls
    .map((call) => {
      const { result = null, since = null, ...rest } = digested(call);
      return { call, text: canonicalText(rest), answer: canonicalText([result, since]) };
    })
    .sort((one, other) => compare(one.text, other.text) || compare(one.answer, other.answer))
    .map(({ call }) => call);

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
