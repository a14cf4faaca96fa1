import { readDeployment } from '../connection/endpoint.ts';
import { canonicalProvider } from '../domain/byok/providers.ts';
import type { CheckModel } from '../domain/suites/digests/judgeIdentity.ts';
import type { JudgeSettings } from './settings.ts';

/** Only Azure's models name an endpoint. A host's addresses and missing models show when the judge asks. */
export function createModelCheck({
  endpointAllowlist,
}: Pick<JudgeSettings, 'endpointAllowlist'>): CheckModel {
  return (provider, model) => {
    if (canonicalProvider(provider) !== 'azure_openai') return undefined;
    const read = readDeployment(model, endpointAllowlist);
    return read.kind === 'refused' ? read.why : undefined;
  };
}
