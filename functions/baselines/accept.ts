import { acceptBaseline as contract } from '../../shared/contracts/baseline/baselines.ts';
import { acceptBaseline } from '../../shared/domain/baseline/accept.ts';
import { createPairCases } from '../../shared/domain/runs/baseline/against.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { baselineStore } from '../../shared/storage/baseline/baselines.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(contract, {
  stores: {
    projects: projectReader,
    suites: suiteReader,
    baselines: baselineStore,
    runs: runReader,
  },
  dependencies: ({ table }) => {
    const chains = chainStore(table);
    const nameJudge = createJudgeIdentity(defaultModelsFromEnv(process.env));
    return { chains, nameJudge, pairCases: createPairCases({ chains, nameJudge }) };
  },
  handle: async ({ principal, params, body }, deps) => ({
    status: 201,
    body: { data: await acceptBaseline(deps, principal, params.suiteId, body) },
  }),
});
