import type { Scorer } from '../../../contracts/scorers.ts';
import { CheckTime, Unchecked } from '../../../scoring/kit/checkTime.ts';
import { judgeQuestionOf, validateScorerConfig } from '../../../scoring/registry.ts';
import { invalid, invalidField } from '../../errors.ts';
import type { CheckModel } from '../digests/judgeIdentity.ts';

type Fields = Pick<Scorer, 'type' | 'config' | 'dual_sided'>;

/**
 * The config with its defaults. 400 if it does not fit its type or compile, or names an endpoint that can't be called.
 * Throws `Unchecked` where the checks before it have used up the time that all of a request share.
 */
export type CheckConfig = (fields: Fields) => Promise<Fields['config']>;

/** For one request. A config that is checked again, since others changed what it belongs to, takes no more time. */
export function openConfigChecks({ checkModel }: { readonly checkModel: CheckModel }): CheckConfig {
  const time = new CheckTime();
  const known = new WeakMap<object, Promise<Fields['config']>>();
  return (fields) => {
    const checked = known.get(fields.config) ?? checkedWithin(time, checkModel, fields);
    known.set(fields.config, checked);
    return checked;
  };
}

async function checkedWithin(
  time: CheckTime,
  checkModel: CheckModel,
  { type, config, dual_sided: dualSided }: Fields,
): Promise<Fields['config']> {
  const checked = await validateScorerConfig(type, config, { dualSided, time });
  if (!checked.ok) throw invalid(checked.issues);
  const question = judgeQuestionOf({ type, config: checked.config });
  if (question?.model !== undefined) {
    const problem = checkModel(question.provider, question.model);
    if (problem !== undefined) throw invalidField('config.model', problem);
  }
  return checked.config;
}

/** Of one scorer alone. */
export async function checkedConfig(check: CheckConfig, fields: Fields): Promise<Fields['config']> {
  try {
    return await check(fields);
  } catch (error) {
    if (!(error instanceof Unchecked)) throw error;
    throw invalidField('config', 'took too long to be checked, and is not saved: simplify it, or try again');
  }
}
