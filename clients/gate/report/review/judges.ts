import type { JudgeChecksGetAnswer } from '../../../sdk/index.ts';
import { counted } from '../numbers.ts';

export type CheckedJudge = JudgeChecksGetAnswer['judges'][number];

const kappa = (value: number): string => value.toFixed(2).replace('-', '−');

/** What a check found of a judge, with foreign text: `fails 17 of 18 wrong answers (proves 0.74), passes 20 of 20`. */
export function judgeWords({ fail, pass, fixed, ...judge }: CheckedJudge): string {
  const errored = fail.errored + pass.errored;
  const proves = `proves ${(Math.floor(fail.lower * 100) / 100).toFixed(2)}`;
  const passedFixed = fixed.sent - fixed.failed;
  return [
    fail.sent === 0
      ? 'no wrong answer was there to fail'
      : `fails ${fail.caught} of ${counted(fail.sent, 'wrong answer')} (${proves})`,
    ...(pass.sent === 0 ? [] : [`passes ${pass.accepted} of ${pass.sent}`]),
    ...(passedFixed === 0 ? [] : [`does not fail ${passedFixed} of ${fixed.sent} fixed answers`]),
    ...(errored === 0 ? [] : [`${errored} could not be judged`]),
    ...(judge.kappa === null ? [] : [`κ ${kappa(judge.kappa)}`]),
    ...(judge.retires_on === null ? [] : [`its model is shut down on ${judge.retires_on}`]),
  ].join(', ');
}

/** The models that answered. */
export const modelWords = ({ answered_models }: Pick<CheckedJudge, 'answered_models'>): string =>
  answered_models.map((model) => model ?? 'a model without a name').join(', ');

/** Whether all answers that had to pass did, and no other one. */
export const isClean = ({ fail, pass, fixed }: CheckedJudge): boolean =>
  fail.caught === fail.sent && pass.accepted === pass.sent && fixed.failed === fixed.sent;
