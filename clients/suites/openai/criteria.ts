import type { Fields } from '../imports/types.ts';
import { isRecord } from '../read/parts.ts';
import type { EvalClass } from './classes.ts';

/** What an eval judges by: graders of the hosted service, or a class of the registry. */
export interface Criteria {
  readonly name: string | undefined;
  readonly graders: readonly Fields[];
  readonly evalClass: EvalClass | undefined;
}

/** Of a definition of an eval, a list of graders or one, or a file of the registry. Undefined where it is none of these. */
export function criteriaOf(value: unknown): Criteria | undefined {
  if (Array.isArray(value)) return gradersOf(value, undefined);
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value.testing_criteria)) return gradersOf(value.testing_criteria, textOr(value.name));
  if (typeof value.type === 'string') return gradersOf([value], textOr(value.name));
  for (const [name, entry] of Object.entries(value)) {
    if (!isRecord(entry) || typeof entry.class !== 'string') continue;
    const args = isRecord(entry.args) ? entry.args : {};
    const own = entry.class.slice(entry.class.lastIndexOf(':') + 1);
    return { name, graders: [], evalClass: { name: own, args } };
  }
  return undefined;
}

function gradersOf(list: readonly unknown[], name: string | undefined): Criteria | undefined {
  const graders = list.filter(isRecord);
  return graders.length === list.length && graders.length > 0
    ? { name, graders, evalClass: undefined }
    : undefined;
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
