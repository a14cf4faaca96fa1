import { getRevision } from '../../shared/contracts/suites.ts';
import { suiteRevision } from '../../shared/domain/suites/revision.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { packStore } from '../../shared/storage/packs/packedSuites.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(getRevision, {
  stores: { projects: projectStore, suites: suiteStore, packs: packStore },
  dependencies: () => ({ judgeIdentity: createJudgeIdentity(defaultModelsFromEnv(process.env)) }),
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await suiteRevision(deps, principal, params.suiteId) },
  }),
});
