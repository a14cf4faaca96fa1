import { createScorer as contract } from '../../shared/contracts/scorers.ts';
import { createScorer } from '../../shared/domain/suites/scorers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createModelCheck } from '../../shared/judge/modelCheck.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../shared/storage/suites/scorers.ts';

export const handler = endpoint(contract, {
  dependencies: ({ table, now, newId }) => ({
    projects: projectStore(table),
    scorers: scorerStore(table),
    checkModel: createModelCheck(judgeSettingsFromEnv(process.env)),
    now,
    newId,
  }),
  handle: async ({ principal, params, body }, deps) => ({
    status: 201,
    body: { data: await createScorer(deps, principal, params.slug, body) },
  }),
});
