import { putDefinition } from '../../shared/contracts/definitionPushes.ts';
import { planWithoutDocuments, planWithoutFields } from '../../shared/domain/definitions/plan/shortPlans.ts';
import { pushDefinition } from '../../shared/domain/definitions/push.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { createModelCheck } from '../../shared/judge/modelCheck.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(putDefinition, {
  stores: {
    chains: chainStore,
    projects: projectStore,
    suites: suiteStore,
  },
  dependencies: () => ({
    checkModel: createModelCheck(judgeSettingsFromEnv(process.env)),
    judgeIdentity: createJudgeIdentity(defaultModelsFromEnv(process.env)),
  }),
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await pushDefinition(deps, principal, params, body) },
  }),
  shorten: [
    ({ body, ...answer }) => ({ ...answer, body: { data: planWithoutDocuments(body.data) } }),
    ({ body, ...answer }) => ({ ...answer, body: { data: planWithoutFields(body.data) } }),
  ],
});
