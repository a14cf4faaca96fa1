import { canonicalProvider } from '../domain/byok/providers.ts';
import type { JudgeIdentity } from '../domain/suites/ports.ts';
import { PROMPT_VERSION } from './prompts/version.ts';
import { type JudgeSettings, modelOf } from './settings.ts';

/** Whom this deployment asks, and with which prompt. Knows nothing of how providers are called. */
export function createJudgeIdentity(settings: Pick<JudgeSettings, 'defaultModels'>): JudgeIdentity {
  return (named, model) => {
    const provider = canonicalProvider(named);
    return { provider, model: modelOf(provider, model, settings), prompt_version: PROMPT_VERSION };
  };
}
