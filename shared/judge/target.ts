import type { Reach } from '../connection/address.ts';
import { readDeployment } from '../connection/endpoint.ts';
import type { Provider } from '../domain/byok/providers.ts';
import type { JudgeError } from '../domain/evaluation/judging/ports.ts';
import { modelOf } from './models.ts';
import type { JudgeSettings } from './settings.ts';

export interface Target {
  readonly kind: 'target';
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly model: string;
  readonly reach: Reach;
}

/** The deployment's own base URLs may have any address. An Azure endpoint comes from a customer. */
export function resolveTarget(
  provider: Provider,
  model: string | undefined,
  settings: JudgeSettings,
): Target | JudgeError {
  const chosen = modelOf(provider, model, settings);
  if (chosen === undefined) {
    return {
      kind: 'error',
      code: 'MODEL_NOT_CONFIGURED',
      reason: `no model is named, and this deployment has no default model for ${provider}`,
    };
  }
  if (provider !== 'azure_openai') {
    return { kind: 'target', provider, baseUrl: settings.baseUrls[provider], model: chosen, reach: 'any' };
  }
  const deployment = readDeployment(chosen, settings.endpointAllowlist);
  if (deployment.kind === 'refused') return { kind: 'error', code: deployment.code, reason: deployment.why };
  return {
    kind: 'target',
    provider,
    baseUrl: `${deployment.endpoint}/openai`,
    model: deployment.name,
    reach: deployment.reach,
  };
}
