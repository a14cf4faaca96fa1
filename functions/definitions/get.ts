import { getDefinition } from '../../shared/contracts/definitions.ts';
import { readDefinition } from '../../shared/domain/definitions/read.ts';
import { invalidField } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';

export const handler = endpoint(getDefinition, {
  stores: { chains: chainStore, projects: projectStore, suites: suiteStore },
  dependencies: () => ({ judgeIdentity: createJudgeIdentity(defaultModelsFromEnv(process.env)) }),
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await readDefinition(deps, principal, params) },
  }),
  shorten: [
    () => {
      throw invalidField(
        'suite',
        'has more cases than fit into an answer of 6 MB: send the header "Accept-Encoding: gzip" (curl --compressed), or read its cases page by page',
      );
    },
  ],
});
