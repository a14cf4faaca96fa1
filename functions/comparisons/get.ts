import { getComparison } from '../../shared/contracts/baseline/comparisons.ts';
import { compareRun } from '../../shared/domain/baseline/comparison.ts';
import { createPairCases } from '../../shared/domain/runs/baseline/against.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { baselineStore } from '../../shared/storage/baseline/baselines.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getComparison, {
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
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: { data: await compareRun(deps, principal, params.runId, query.baseline) },
  }),
  runOf: ({ params }) => params.runId,
});
