import { clip, cut, quote } from '../kit/text.ts';
import type { Call, Trace } from '../kit/trace.ts';
import { visible } from '../kit/visible.ts';

/** One more than is kept, so that a reader of the excerpt knows that it is cut. */
const EXCERPT_LENGTH = 2_001;
const ARGUMENTS_LENGTH = 200;
/** Names that need no quotes. */
const PLAIN = /^[\w.:/-]{1,60}$/;

export const toolName = (tool: string): string => (PLAIN.test(tool) ? tool : quote(tool));

/** A trace in a line, its calls as they were sent: `a({"x":1}) ∥ b({}) → c(…) failed`. */
export function traceExcerpt(trace: Trace): string {
  let text = '';
  let last: Call | undefined;
  for (const call of trace.toSorted((one, other) => one.at - other.at)) {
    const link = last === undefined ? '' : last.step === call.step ? ' ∥ ' : ' → ';
    text += link + inWords(call);
    last = call;
    if (text.length > EXCERPT_LENGTH) break;
  }
  return cut(visible(cut(text, EXCERPT_LENGTH)), EXCERPT_LENGTH);
}

function inWords(call: Call): string {
  const failed = call.failed ? ' failed' : '';
  return `${toolName(call.tool)}(${argumentsIn(call)})${failed}`;
}

function argumentsIn({ malformed, text, arguments: members }: Call): string {
  if (malformed) return 'no JSON object';
  const json = JSON.stringify(text ?? members);
  return json === undefined ? '…' : clip(json, ARGUMENTS_LENGTH);
}
