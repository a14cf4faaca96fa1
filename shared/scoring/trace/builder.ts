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
}

interface MadeCall {
  readonly tool: unknown;
  readonly known: CallArguments;
  /** By which its result, or the calls of a sub-agent, name it. */
  readonly id?: unknown;
  readonly failed?: boolean;
  readonly isNested?: boolean;
  /** It only asks whether the call may be made. */
  readonly isRequest?: boolean;
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
    { tool, known, id, failed = false, isNested = false, isRequest = false }: MadeCall,
  ): void {
    if (!isToolName(tool)) {
      fail([...path, named], `must be the name of a tool, 1 to ${TOOL_LENGTH_MAX} characters`);
    }
    const [first, ...others] = isParallel(tool) ? unfolded(tool, known) : ([{ tool, known }] as const);
    const state = { isNested, failed, step: this.#step, isRequest, isReplaced: false };
    const drafts = [{ ...first, ...state }, ...others.map((call) => ({ ...call, ...state }))] as const;
    if (this.#drafts.length + drafts.length > TRACE_CALLS_MAX) fail([], 'must hold at most 1,000 calls');
    this.#drafts.push(...drafts);
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

  /** `path`: of what has the id, in the field `named`. Refused where no call before has it: a trace that lacks calls cannot be judged. */
  answers(path: TracePath, named: string, id: unknown, failed: boolean): void {
    const drafts = typeof id === 'string' ? this.#byId.get(id) : undefined;
    if (drafts === undefined) {
      fail([...path, named], 'must be the id of a call before it: send all calls, or leave the result out');
    } else for (const draft of drafts) draft.failed ||= failed;
  }

  /** A call that was asked for before is made: the request is none of its own. Whatever else has the id stays a call. */
  grants(tool: unknown, id: unknown): void {
    const drafts = typeof id === 'string' ? this.#byId.get(id) : undefined;
    const [draft] = drafts ?? [];
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
    const calls: Call[] = [];
    let [step, last] = [-1, -1];
    for (const { tool, known, isNested, failed, step: drafted, isReplaced } of this.#drafts) {
      if (isReplaced) continue;
      if (drafted !== last) step += 1;
      last = drafted;
      const at = calls.length + 1;
      const call: Call = { tool, ...known, step, at };
      const isPlain = !failed && !isNested;
      calls.push(
        isPlain ? call : { ...call, ...(failed && { failed }), ...(isNested && { nested: isNested }) },
      );
    }
    const trace = inNormalOrder(calls);
    return this.#output === '' ? { trace } : { trace, output: this.#output };
  }
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

const sorted = (calls: readonly Call[]): Call[] =>
  calls
    .map((call) => ({ call, text: canonicalText(digested(call)) }))
    .sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)))
    .map(({ call }) => call);
