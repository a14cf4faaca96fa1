import { updateScorer as contract } from '../../shared/contracts/scorers.ts';
import { updateScorer } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createModelCheck } from '../../shared/judge/modelCheck.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../shared/storage/suites/scorers.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, scorers: scorerStore },
  dependencies: () => ({ checkModel: createModelCheck(judgeSettingsFromEnv(process.env)) }),
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await updateScorer(deps, principal, params.scorerId, body) },
  }),
});
