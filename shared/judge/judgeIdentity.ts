import { canonicalProvider, PROVIDERS } from '../domain/byok/providers.ts';
import type { JudgeIdentity, NameJudge } from '../domain/suites/digests/judgeIdentity.ts';
import { documentDigest } from '../scoring/digest/documents.ts';
import { SCORING_VERSION } from '../scoring/digest/suiteDigest.ts';
import { type DefaultModels, modelOf } from './models.ts';
import { PROMPT_VERSION } from './prompts/version.ts';

const VERSION_DIGITS = 16;

/** Whom this deployment asks, and with which prompt. Knows nothing of how providers are called. */
export function createJudgeIdentity(settings: { readonly defaultModels: DefaultModels }): JudgeIdentity {
  const nameJudge: NameJudge = (named, model) => {
    const provider = canonicalProvider(named);
    return { provider, model: modelOf(provider, model, settings), prompt_version: PROMPT_VERSION };
  };
  const judges = PROVIDERS.map((provider) => nameJudge(provider, undefined));
  const version = documentDigest([SCORING_VERSION, judges]).slice(0, VERSION_DIGITS);
  return Object.assign(nameJudge, { version });
}
