import { isJsonObject } from '../kit/json.ts';
import { caseTwins, foldCase } from '../kit/reading/caseTwins.ts';
import { type Call, type CallArguments, TOOL_LENGTH_MAX } from '../kit/trace.ts';
import { argumentsOf } from './arguments.ts';

export interface NamedCall {
  readonly tool: string;
  readonly known: CallArguments;
}

export const isToolName = (tool: unknown): tool is string =>
  typeof tool === 'string' && tool !== '' && tool.length <= TOOL_LENGTH_MAX && tool.isWellFormed();

/** As which models of OpenAI write several calls, though no tool has the name. */
export const isParallel = (tool: string): boolean =>
  /^(?:functions\.)?multi_tool_use[._]parallel$/.test(tool);

/** It cannot be read, and any call may hide in it. */
export const isOpaque = ({ tool, malformed }: Pick<Call, 'tool' | 'malformed'>): boolean =>
  malformed === true && isParallel(tool);

/** The calls that are written as one: itself, malformed, where they cannot be read. */
export function unfolded(tool: string, known: CallArguments): readonly [NamedCall, ...NamedCall[]] {
  const [first, ...otherCalls] = callsIn('arguments' in known ? known.arguments : undefined) ?? [];
  return first === undefined ? [{ tool, known: { malformed: true } }] : [first, ...otherCalls];
}

const READ = ['tool_uses', 'recipient_name', 'parameters'];

/** Null where any of them cannot be read. */
function callsIn(members: Readonly<Record<string, unknown>> | undefined): NamedCall[] | null {
  if (!Array.isArray(members?.tool_uses)) return null;
  const twins = caseTwins(members);
  if (READ.some((name) => twins.has(foldCase(name)))) return null;
  const calls: NamedCall[] = [];
  for (const use of members.tool_uses) {
    const name = isJsonObject(use) ? use.recipient_name : undefined;
    const tool = typeof name === 'string' ? name.replace(/^functions\./, '') : undefined;
    if (!isToolName(tool) || isParallel(tool)) return null;
    calls.push({ tool, known: argumentsOf(use.parameters) });
  }
  return calls;
}
