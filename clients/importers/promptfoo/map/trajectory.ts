import type { Fields } from '../../imports/types.ts';
import { type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const TRACE = 'the program that sends the output has to send its trace';
const CASE = 'there names of tools are compared in any case, here as they are written';
export const PATTERN: Mapped = {
  why: 'has a pattern of tools, which has its like only where they are forbidden',
};
export const UNREADABLE: Mapped = { why: 'has a value that promptfoo does not take' };

export const mapped = (config: Fields, ...differences: readonly string[]): Mapped => ({
  scorer: { type: 'trajectory', config },
  differences: [TRACE, ...differences],
});

/** All else may be called besides, and failed calls count. */
const amongOthers = (config: Fields, ...differences: readonly string[]): Mapped =>
  mapped({ allow_extra: true, count_failed: true, ...config }, ...differences);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number | undefined =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000);
const isGlob = (name: string): boolean => /[*?]/.test(name);

/** The name, or pattern, of a matcher. */
function nameIn(matcher: unknown): string | undefined {
  if (typeof matcher === 'string') return matcher || undefined;
  if (!isFields(matcher) || (matcher.type !== undefined && matcher.type !== 'tool')) return undefined;
  const name = matcher.pattern || matcher.name;
  return typeof name === 'string' ? name : undefined;
}

const SHELLS = ['exec_command', 'local_shell', 'shell'];
const COMMANDS = `there a call of ${SHELLS.join(', ')} may be a command, which is no call of a tool`;

const ANY_CHARACTERS = 'there a pattern matches no line breaks, and `?` one character, here for any';

/** What is not the same of tools with these names. */
function ofNames(names: readonly string[]): readonly string[] {
  const arePatterns = names.some(isGlob);
  const mayBeShells = arePatterns || names.some((name) => SHELLS.includes(name.toLowerCase()));
  return [CASE, ...(arePatterns ? [ANY_CHARACTERS] : []), ...(mayBeShells ? [COMMANDS] : [])];
}

function forbidding(names: readonly string[]): Mapped {
  const forbidden = [...new Set(names.map((name) => name.replaceAll('?', '*')))];
  return amongOthers({ calls: [], forbidden }, ...ofNames(names));
}

export const toolUsed: Mapping = ({ value, isNegated }) => {
  const list = typeof value === 'string' ? [value] : value;
  return Array.isArray(list) ? allUsed(list, isNegated) : oneUsed(value, isNegated);
};

function allUsed(list: readonly unknown[], isNegated: boolean): Mapped {
  const names = list.filter((name) => typeof name === 'string' && name !== '') as string[];
  if (names.length === 0 || names.length < list.length) return UNREADABLE;
  if (isNegated) return forbidding(names);
  if (names.some(isGlob)) return PATTERN;
  return amongOthers({ calls: [...new Set(names)].map((tool) => ({ tool })) }, ...ofNames(names));
}

function oneUsed(value: unknown, isNegated: boolean): Mapped {
  const name = nameIn(value);
  const times = timesIn(value);
  if (name === undefined || times === undefined) return UNREADABLE;
  const { min = 1, max } = times;
  if (isNegated) return min === 1 && max === undefined ? forbidding([name]) : NOT_NEGATED;
  const nothing = nothingIn(min, max);
  if (nothing !== undefined) return nothing;
  if (max === 0) return forbidding([name]);
  return isGlob(name) ? PATTERN : amongOthers(timed({ tool: name }, min, max), ...ofNames([name]));
}

/** Of a matcher, where they can be read. */
export function timesIn(value: unknown): { min?: number; max?: number } | undefined {
  if (!isFields(value) || !isCount(value.min) || !isCount(value.max)) return undefined;
  return value as { min?: number; max?: number };
}

/** Why such bounds cannot be mapped. */
export function nothingIn(min: number, max: number | undefined): Mapped | undefined {
  if (max !== undefined && max < min) return { why: 'allows fewer calls than it wants' };
  return min === 0 && max === undefined ? { why: 'passes whatever is called' } : undefined;
}

export const timed = (rule: object, min: number, max: number | undefined) => ({
  calls: [{ ...rule, min, ...(max !== undefined && { max }) }],
});

const AT_ONCE = 'there calls made at once are in the order of their starts, here in none';

export const toolSequence: Mapping = ({ value, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  const { steps, mode = 'in_order' } = isFields(value) ? value : { steps: value };
  const names = Array.isArray(steps) ? steps.map((step) => nameIn(step) ?? '') : [];
  if (names.length === 0 || names.includes('')) return UNREADABLE;
  if (names.some(isGlob)) return PATTERN;
  const calls = names.map((tool) => ({ tool }));
  if (mode !== 'exact') return amongOthers({ order: 'in_order', calls }, ...ofNames(names), AT_ONCE);
  return amongOthers({ order: 'in_order', calls, allow_extra: false }, CASE, COMMANDS, AT_ONCE);
};

const holdsObject = (members: Fields): boolean => JSON.stringify(Object.values(members)).includes('{');
const WHOLE_MEMBERS =
  'there members of an argument may be more than those that are wanted, here each argument is equal';

export const toolArgsMatch: Mapping = ({ value, isNegated }) => {
  const tool = nameIn(value);
  if (tool === undefined || !isFields(value)) return UNREADABLE;
  const expectedArguments = Object.hasOwn(value, 'args') ? value.args : value.arguments;
  if ((value.defaults ?? value.ignore) !== undefined)
    return { why: 'leaves arguments out, which has no like here' };
  if (!isFields(expectedArguments)) return { why: 'compares arguments that are no object' };
  const isExact = value.mode === 'exact';
  const rule = { tool, [isExact ? 'arguments' : 'arguments_include']: expectedArguments };
  // More arguments would be forbidden there.
  if (isNegated && !isExact && holdsObject(expectedArguments)) return NOT_NEGATED;
  return isNegated ? neverWith(rule) : onceWith(rule, isExact ? [] : [WHOLE_MEMBERS]);
};

interface CallRule extends Fields {
  readonly tool: string;
}

const onceWith = (rule: CallRule, differences: readonly string[]): Mapped =>
  isGlob(rule.tool) ? PATTERN : amongOthers({ calls: [rule] }, ...ofNames([rule.tool]), ...differences);

const NOT_KNOWN = 'there a call whose arguments are not known passes, here it is forbidden';

function neverWith(rule: CallRule): Mapped {
  const forbidden = [{ ...rule, tool: rule.tool.replaceAll('?', '*') }];
  return amongOthers({ calls: [], forbidden }, ...ofNames([rule.tool]), NOT_KNOWN);
}

export const stepCount: Mapping = ({ value, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  const times = timesIn(value);
  if (times === undefined) return UNREADABLE;
  const { type, pattern, name } = value as Fields;
  const isOfTools = type === 'tool' || (Array.isArray(type) && type.length === 1 && type[0] === 'tool');
  if (!isOfTools || pattern || name) return { why: 'counts other steps than all calls of tools' };
  const { min, max } = times;
  if (min === undefined && max === undefined) return UNREADABLE;
  const nothing = nothingIn(min ?? 0, max);
  if (nothing !== undefined) return nothing;
  const bounds = {
    ...(min !== undefined && { min_calls: min }),
    ...(max !== undefined && { max_calls: max }),
  };
  return amongOthers({ calls: [], ...bounds }, COMMANDS);
};

const OF_OUTPUT = 'there calls are read from the text of the output, here from its trace';
const ONCE = 'there a name counts once, here a second call of it is surplus';

/** With all names and no other one F1 is 1, however often they are called. Below, a call counts as one, and F1 is less. */
export const toolCallF1: Mapping = ({ value, threshold, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
  const tools = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  if (tools.length === 0) return UNREADABLE;
  if (tools.some((tool) => tool.includes('*'))) return PATTERN;
  const share = typeof threshold === 'number' ? threshold : 1;
  if (share <= 0) return { why: 'passes whatever is called' };
  if (!(share <= 1)) return { why: 'has a threshold above 1, which nothing reaches' };
  if (share === 1) {
    return mapped({ calls: tools.map((tool) => ({ tool, max: 1_000 })), count_failed: true }, OF_OUTPUT);
  }
  const config = { calls: tools.map((tool) => ({ tool })), count_failed: true, partial: true };
  return { ...mapped(config, OF_OUTPUT, ONCE), threshold: share };
};

const NO_TOOLS: Mapped = {
  why: 'needs the same 1 to 100 tools in each provider of the config, and tests without a provider of their own',
};
const NAMES_ONLY = 'there arguments are checked by the schemas of the tools, too, here names only';

/** There an output without a call is not valid either. */
export const knownTools: Mapping = ({ tools, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  const names = tools();
  if (names === undefined) return NO_TOOLS;
  return mapped({ calls: [], allow_extra: names, min_calls: 1, count_failed: true }, OF_OUTPUT, NAMES_ONLY);
};
