import type { Fields } from '../../imports/types.ts';
import { type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const TRACE = 'whoever sends the output has to send its trace';
const CASE = 'there names of tools are compared in any case, here as they are written';
const PATTERN: Mapped = { why: 'has a pattern of tools, which has its like only where they are forbidden' };
const UNREADABLE: Mapped = { why: 'has a value that promptfoo does not take' };

const mapped = (config: Fields, ...differences: readonly string[]): Mapped => ({
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

/** Here any characters stand for one, too: more is forbidden. */
const forbidding = (names: readonly string[]): Mapped =>
  amongOthers({ calls: [], forbidden: [...new Set(names.map((name) => name.replaceAll('?', '*')))] }, CASE);

export const toolUsed: Mapping = ({ value, isNegated }) => {
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list)) {
    const names = list.filter((name) => typeof name === 'string' && name !== '');
    if (names.length === 0 || names.length < list.length) return UNREADABLE;
    if (isNegated) return forbidding(names);
    if (names.some(isGlob)) return PATTERN;
    return amongOthers({ calls: [...new Set(names)].map((tool) => ({ tool })) }, CASE);
  }
  const name = nameIn(value);
  if (name === undefined || !isFields(value) || !isCount(value.min) || !isCount(value.max)) return UNREADABLE;
  const { min = 1, max } = value as { min?: number; max?: number };
  if (isNegated) return min <= 1 && max === undefined ? forbidding([name]) : NOT_NEGATED;
  if (max === 0) return forbidding([name]);
  if (isGlob(name)) return PATTERN;
  if (max !== undefined && max < min) return { why: 'allows fewer calls than it wants' };
  if (min === 0 && max === undefined) return { why: 'passes whatever is called' };
  return amongOthers({ calls: [{ tool: name, min, ...(max !== undefined && { max }) }] }, CASE);
};

const AT_ONCE = 'there calls made at once are in the order of their starts, here in none';

export const toolSequence: Mapping = ({ value, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  const { steps, mode = 'in_order' } = Array.isArray(value) ? { steps: value } : isFields(value) ? value : {};
  const names = Array.isArray(steps) ? steps.map(nameIn) : [];
  if (names.length === 0 || names.includes(undefined)) return UNREADABLE;
  if (names.some((name) => isGlob(name ?? ''))) return PATTERN;
  const calls = names.map((tool) => ({ tool }));
  return amongOthers({ order: 'in_order', calls, allow_extra: mode !== 'exact' }, CASE, AT_ONCE);
};

const holdsObject = (members: Fields): boolean => JSON.stringify(Object.values(members)).includes('{');
const WHOLE_MEMBERS =
  'there members of an argument may be more than those that are wanted, here each argument is equal';

export const toolArgsMatch: Mapping = ({ value, isNegated }) => {
  const tool = nameIn(value);
  if (tool === undefined || !isFields(value)) return UNREADABLE;
  const wanted = Object.hasOwn(value, 'args') ? value.args : value.arguments;
  if (value.defaults !== undefined || value.ignore !== undefined)
    return { why: 'leaves arguments out, which has no like here' };
  if (!isFields(wanted)) return { why: 'compares arguments that are no object' };
  const isExact = value.mode === 'exact';
  const rule = { tool, [isExact ? 'arguments' : 'arguments_include']: wanted };
  if (!isNegated) {
    return isGlob(tool) ? PATTERN : amongOthers({ calls: [rule] }, CASE, ...(isExact ? [] : [WHOLE_MEMBERS]));
  }
  // More arguments would be forbidden there.
  if (!isExact && holdsObject(wanted)) return NOT_NEGATED;
  return amongOthers({ calls: [], forbidden: [{ ...rule, tool: tool.replaceAll('?', '*') }] }, CASE);
};

export const stepCount: Mapping = ({ value, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  if (!isFields(value) || !isCount(value.min) || !isCount(value.max)) return UNREADABLE;
  const { min, max, type, pattern, name } = value;
  const isOfTools = type === 'tool' || (Array.isArray(type) && type.length === 1 && type[0] === 'tool');
  if (!isOfTools || pattern || name) return { why: 'counts other steps than all calls of tools' };
  if (min === undefined && max === undefined) return UNREADABLE;
  if (max === undefined && min === 0) return { why: 'passes whatever is called' };
  if (max !== undefined && Number(max) < Number(min ?? 0)) return { why: 'allows fewer calls than it wants' };
  return amongOthers({
    calls: [],
    ...(min !== undefined && { min_calls: min }),
    ...(max !== undefined && { max_calls: max }),
  });
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
  if (share >= 1) {
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

const SKILLS = 'there skills are named by the metadata of the provider, here by calls of the tool Skill';
const ofSkill = (skill: string) => ({ tool: 'Skill', arguments_include: { skill } });

export const skillUsed: Mapping = ({ value, isNegated }) => {
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list)) {
    const names = list.flatMap((name) => (typeof name === 'string' && name.trim() ? [name.trim()] : []));
    if (names.length === 0 || names.length < list.length) return UNREADABLE;
    const rules = [...new Set(names)].map(ofSkill);
    return mapped(
      { allow_extra: true, ...(isNegated ? { calls: [], forbidden: rules } : { calls: rules }) },
      SKILLS,
    );
  }
  if (!isFields(value) || !isCount(value.min) || !isCount(value.max)) return UNREADABLE;
  const { name, pattern, max } = value as { name?: unknown; pattern?: unknown; max?: number };
  if (typeof name !== 'string' || name.trim() === '') return pattern ? PATTERN : UNREADABLE;
  if (pattern) return PATTERN;
  const rule = ofSkill(name.trim());
  const min = (value.min as number | undefined) ?? (max === undefined ? 1 : 0);
  if (isNegated || max === 0) {
    const isPlain = value.min === undefined && (max === undefined || max === 0);
    return isPlain || !isNegated
      ? mapped({ allow_extra: true, calls: [], forbidden: [rule] }, SKILLS)
      : NOT_NEGATED;
  }
  if (min === 0 && max === undefined) return { why: 'passes whatever is called' };
  if (max !== undefined && max < min) return { why: 'allows fewer calls than it wants' };
  return mapped({ allow_extra: true, calls: [{ ...rule, min, ...(max !== undefined && { max }) }] }, SKILLS);
};
