import { updateScorer as contract } from '../../shared/contracts/scorers.ts';
import { updateScorer } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createModelCheck } from '../../shared/judge/modelCheck.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: { projects: projectStore, suites: suiteReader, chains: chainStore },
  dependencies: () => ({ checkModel: createModelCheck(judgeSettingsFromEnv(process.env)) }),
  handle: async ({ principal, params, body }, deps) => ({
    status: 200,
    body: { data: await updateScorer(deps, principal, params.scorerId, body) },
  }),
});
