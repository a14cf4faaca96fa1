import { isRecord } from '../../files/read/parts.ts';
import type { Fields } from '../imports/types.ts';
import type { EvalClass } from './classes.ts';

/** What an eval judges by: graders of the hosted service, or a class of the registry. */
export interface Criteria {
  readonly name: string | undefined;
  readonly graders: readonly Fields[];
  readonly evalClass: EvalClass | undefined;
}

/** Evals of a file of the registry, of which none or several are of the data. */
export interface SeveralEvals {
  readonly several: readonly string[];
}

interface Chosen {
  /** The file of the samples, as it was named. */
  readonly data: string;
  /** The eval that somebody named. */
  readonly name: string | undefined;
}

/** Of a definition of an eval, a list of graders or one, or a file of the registry. Undefined where it is none of these. */
export function criteriaOf(value: unknown, chosen: Chosen): Criteria | SeveralEvals | undefined {
  if (Array.isArray(value)) return gradersOf(value, undefined);
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value.testing_criteria)) return gradersOf(value.testing_criteria, textOr(value.name));
  if (typeof value.type === 'string') return gradersOf([value], textOr(value.name));
  return registeredEval(value, chosen);
}

interface Registered {
  readonly name: string;
  readonly evalClass: EvalClass;
  /** The path of its samples, part by part. */
  readonly samples: readonly string[];
}

/** The eval that is named, else the one whose samples are those of the data. */
function registeredEval(file: Fields, { data, name }: Chosen): Criteria | SeveralEvals | undefined {
  const evals = Object.entries(file).flatMap(([evalName, entry]): Registered[] => {
    if (!isRecord(entry) || typeof entry.class !== 'string') return [];
    const args = isRecord(entry.args) ? entry.args : {};
    const evalClass = { name: entry.class.slice(entry.class.lastIndexOf(':') + 1), args };
    return [{ name: evalName, evalClass, samples: partsOf(args.samples_jsonl) }];
  });
  if (evals.length === 0) return undefined;
  const fitting = name === undefined ? ofData(evals, partsOf(data)) : named(evals, file, name);
  const [registered] = fitting;
  if (registered === undefined || fitting.length > 1)
    return { several: evals.map((one) => `${one.name} (${one.samples.join('/') || 'no samples_jsonl'})`) };
  return { name: registered.name, graders: [], evalClass: registered.evalClass };
}

const partsOf = (file: unknown): string[] =>
  typeof file === 'string' ? file.split(/[\\/]/).filter((part) => part !== '' && part !== '.') : [];

/** By its own name, or by one that stands for it in the registry. */
function named(evals: readonly Registered[], file: Fields, name: string): readonly Registered[] {
  const entry = Object.hasOwn(file, name) ? file[name] : undefined;
  const id = isRecord(entry) && entry.class === undefined ? entry.id : name;
  return evals.filter((one) => one.name === id);
}

/**
 * A registry names samples from its folder of data, which may lie anywhere. Where no two evals have files of one name, that
 * is enough; a lone eval need not name its samples.
 */
function ofData(evals: readonly Registered[], data: readonly string[]): readonly Registered[] {
  const isAtEnd = ({ samples }: Registered): boolean =>
    samples.length > 0 && samples.every((part, index) => part === data.at(index - samples.length));
  const fitting = evals.filter(isAtEnd);
  if (fitting.length > 0) return fitting;
  const files = evals.map(({ samples }) => samples.at(-1));
  if (new Set(files).size < files.length) return [];
  return evals.filter(
    (_, index) => (evals.length === 1 && files[index] === undefined) || files[index] === data.at(-1),
  );
}

function gradersOf(list: readonly unknown[], name: string | undefined): Criteria | undefined {
  const graders = list.filter(isRecord);
  return graders.length === list.length && graders.length > 0
    ? { name, graders, evalClass: undefined }
    : undefined;
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
