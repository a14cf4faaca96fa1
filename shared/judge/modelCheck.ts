import { canonicalProvider } from '../domain/byok/providers.ts';
import type { CheckModel } from '../domain/suites/ports.ts';
import { readDeployment } from './connection/endpoint.ts';
import type { JudgeSettings } from './settings.ts';

/**
 * Tells the author of a scorer what the judge would refuse later. Only Azure's models name an endpoint. The
 * addresses of a host, and whether a model exists, show when the judge asks.
 */
export function createModelCheck({
  endpointAllowlist,
}: Pick<JudgeSettings, 'endpointAllowlist'>): CheckModel {
  return (provider, model) => {
    if (canonicalProvider(provider) !== 'azure_openai') return undefined;
    const read = readDeployment(model, endpointAllowlist);
    return read.kind === 'refused' ? read.why : undefined;
  };
}
