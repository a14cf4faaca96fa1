import { hash } from 'node:crypto';
import { canonicalProvider, PROVIDERS } from '../domain/byok/providers.ts';
import type { JudgeIdentity } from '../domain/suites/ports.ts';
import { SCORING_VERSION } from '../scoring/digest/bar.ts';
import { PROMPT_VERSION } from './prompts/version.ts';
import { type JudgeSettings, modelOf } from './settings.ts';

/** Whom this deployment asks, and with which prompt. Knows nothing of how providers are called. */
export function createJudgeIdentity(settings: Pick<JudgeSettings, 'defaultModels'>): JudgeIdentity {
  const of: JudgeIdentity['of'] = (named, model) => {
    const provider = canonicalProvider(named);
    return { provider, model: modelOf(provider, model, settings), prompt_version: PROMPT_VERSION };
  };
  const defaults = PROVIDERS.map((provider) => of(provider, undefined));
  return { of, version: hash('sha256', JSON.stringify([SCORING_VERSION, defaults])).slice(0, 12) };
}
