const BETWEEN_WORDS = /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** `ai.toolCall.name` has the words ai, tool, call, name. */
export const wordsOf = (name: string): string[] =>
  name
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());

const TOOL = /^(?:tools?|tool(?:call|use|name|result|node)s?|toolcalling|functioncalls?)$/;
const OTHER = /^(?:functions?|mcp)$/;
const CALL = /^call(?:s|ed|ing)?$/;
const CALLING = /^(?:call|execute|executing|run|running|invoke|invoking|use|using)$/;
/** What may be called, and how often. */
const ALLOWING = /^(?:available|allowed|enabled|parallel|max|min)$/;
/** What is done with tools without calling one. */
const LISTING = /^(?:list|get|load|fetch|register|discover)$/;
const DEFINING = /^(?:definitions?|choice|schemas?|reference|addition|removal|agents?)$/;

/** Whether they are of a call of a tool, in any spelling: `tool_call`, `TOOL`, `toolUse`, `function-call`, `tools/call`. */
export const nameCall = (words: readonly string[]): boolean =>
  words.some(
    (word, index) =>
      (TOOL.test(word) || (OTHER.test(word) && CALL.test(words[index + 1] ?? ''))) &&
      !isDefined(words, index),
  );

/** `tool_choice`, `tools/list`, `ToolCallingAgent`; but not where a tool of such a name is called. */
function isDefined(words: readonly string[], index: number): boolean {
  const [before = '', next = '', after = ''] = [words[index - 1], words[index + 1], words[index + 2]];
  if (CALLING.test(before)) return false;
  if (ALLOWING.test(before) || DEFINING.test(CALL.test(next) ? after : next)) return true;
  const isListed = LISTING.test(before) || LISTING.test(next) || words.join(' ') === 'mcp tools';
  return words[index] === 'tools' && isListed;
}

/** An answer ended by a call: `tool_calls`, `tool-calls`, `TOOL_USE`, `FinishReason.FUNCTION_CALL`. */
export const isCallReason = (reason: unknown): boolean =>
  typeof reason === 'string' && nameCall(wordsOf(reason));

/** Whether the key is that of such reasons. */
export const isReasonKey = (words: readonly string[]): boolean =>
  /^(?:finish|stop)$/.test(words.at(-2) ?? '') && /^reasons?$/.test(words.at(-1) ?? '');

/** A value that stands for none. */
export function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return /^(?:|null|none|false|0|\[\s*\]|\{\s*\}|"")$/i.test(value.trim());
  if (typeof value !== 'object' || value === null) return !value;
  return Object.keys(value).length === 0;
}
