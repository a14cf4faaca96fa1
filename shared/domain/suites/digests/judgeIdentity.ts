import type { Provider, ProviderValue } from '../../../contracts/base/providers.ts';

/** Describes, for the scorer's author, what is wrong with the model that a judge is to ask. Undefined: nothing. */
export type CheckModel = (provider: ProviderValue, model: string) => string | undefined;

/** The provider that a deployment asks for a scorer, the model, and the SHA-256 of the prompt. */
export type NameJudge = (
  provider: ProviderValue,
  model: string | undefined,
) => { readonly provider: Provider; readonly model: string | undefined; readonly prompt_version: string };

/** A model that judges, without the endpoint that it is asked at. Null where the scorer leaves it to the deployment. */
export interface JudgeModel {
  readonly provider: Provider;
  readonly model: string | null;
}

export interface JudgeIdentity extends NameJudge {
  /** A digest of a suite that was computed under another version may be another one here. */
  readonly version: string;
}
