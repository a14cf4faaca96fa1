import type { Fields } from '../../imports/types.ts';
import { mapped, nothingIn, PATTERN, timed, timesIn, UNREADABLE } from './trajectory.ts';
import { type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const SKILLS = 'there skills are named by the metadata of the provider, here by calls of the tool Skill';
const ofSkill = (skill: string) => ({ tool: 'Skill', arguments_include: { skill } });

export const skillUsed: Mapping = ({ value, isNegated }) => {
  const list = typeof value === 'string' ? [value] : value;
  return Array.isArray(list) ? allSkills(list, isNegated) : oneSkill(value, isNegated);
};

const SKILL_FAILED = 'there a call of a skill that failed passes, here it is forbidden';

const withoutSkills = (rules: readonly object[]): Mapped =>
  mapped({ allow_extra: true, calls: [], forbidden: rules }, SKILLS, SKILL_FAILED);

function allSkills(list: readonly unknown[], isNegated: boolean): Mapped {
  const names = list.flatMap((name) => (typeof name === 'string' && name.trim() ? [name.trim()] : []));
  if (names.length === 0 || names.length < list.length) return UNREADABLE;
  const rules = [...new Set(names)].map(ofSkill);
  return isNegated ? withoutSkills(rules) : mapped({ allow_extra: true, calls: rules }, SKILLS);
}

function oneSkill(value: unknown, isNegated: boolean): Mapped {
  const times = timesIn(value);
  if (times === undefined) return UNREADABLE;
  const { name, pattern } = value as Fields;
  if (pattern) return PATTERN;
  if (typeof name !== 'string' || name.trim() === '') return UNREADABLE;
  const rule = ofSkill(name.trim());
  const { max, min = max === undefined ? 1 : 0 } = times;
  if (isNegated && (times.min !== undefined || (max ?? 0) > 0)) return NOT_NEGATED;
  if (isNegated || max === 0) return withoutSkills([rule]);
  return nothingIn(min, max) ?? mapped({ allow_extra: true, ...timed(rule, min, max) }, SKILLS);
}
