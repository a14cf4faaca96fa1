import { createScorer as contract } from '../../shared/contracts/scorers.ts';
import { createScorer } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createModelCheck } from '../../shared/judge/modelCheck.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, chains: chainStore },
  dependencies: () => ({ checkModel: createModelCheck(judgeSettingsFromEnv(process.env)) }),
  handle: async ({ principal, params, body }, deps) => ({
    status: 201,
    body: { data: await createScorer(deps, principal, params.slug, body) },
  }),
});
