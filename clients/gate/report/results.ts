import { comparedScores } from './numbers.ts';
import type { ReportedResult } from './types.ts';

export type ResultState = 'failed' | 'errored' | 'missing' | 'advisory' | 'passed';

type Judged = Pick<ReportedResult, 'passed' | 'errored' | 'missing'> & { readonly advisory?: boolean };

/** Advisory: one that did not pass, and does not count. */
export function resultState({ passed, errored, missing, advisory }: Judged): ResultState {
  if (passed) return 'passed';
  if (advisory) return 'advisory';
  if (missing) return 'missing';
  return errored === true ? 'errored' : 'failed';
}

const ORDER: readonly ResultState[] = ['failed', 'errored', 'missing', 'advisory', 'passed'];

/** Failed ones first, and of these what must pass; else in the order of the suite. */
export function inOrder(results: readonly ReportedResult[]): readonly ReportedResult[] {
  const rank = (result: ReportedResult): number =>
    ORDER.indexOf(resultState(result)) * 2 + (result.must_pass === true ? 0 : 1);
  return results.toSorted((one, other) => rank(one) - rank(other));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The key of some restored cases is their id. */
export const labelOf = ({ key, case_name }: ReportedResult): string => (UUID.test(key) ? case_name : key);

const NAME_MAX = 80;
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The label, with the name of the case where that says more. Foreign. */
export function titleOf(result: ReportedResult): string {
  const [label, name] = [labelOf(result), result.case_name];
  return lettersOf(name) === lettersOf(label) ? label : `${label} "${shortened(name, NAME_MAX)}"`;
}

/** Why the case has its state, without its name. Foreign. */
export function explanation(result: ReportedResult): string {
  const { score, threshold, reason, samples = [] } = result;
  if (result.missing && !result.passed) return `missing: ${reason}`;
  if (result.errored === true) return `could not be judged: ${reason}`;
  const passed = samples.filter((sample) => sample.passed).length;
  const some = samples.length > 1 ? `${passed} of ${samples.length} samples passed: ` : '';
  return `${some}${comparedScores(score, threshold)}  ${reason}`;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** So many digits make a number at most. */
const NUMBER_MAX = 24;

/** Cut between characters, and before a number rather than within it. */
export function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const cut = text
    .slice(0, lengthMax - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const goesOn = /^(?:\d|[.,]\d|%)/.test(text.slice(cut.length, cut.length + 2));
  const [number] = (goesOn && /[-+]?\d[\d.,]{0,24}$/.exec(cut.slice(-NUMBER_MAX))) || [''];
  const isPart = number.length < Math.min(NUMBER_MAX, cut.length);
  return `${isPart ? cut.slice(0, cut.length - number.length) : cut}…`;
}
