import { getRevision } from '../../shared/contracts/suites.ts';
import { createAtOneMoment } from '../../shared/domain/suites/chains/atOneMoment.ts';
import type { SuiteChain } from '../../shared/domain/suites/chains/chains.ts';
import { createSuiteDigests } from '../../shared/domain/suites/digests/knownDigests.ts';
import { suiteRevision } from '../../shared/domain/suites/revision.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { createJudgeIdentity } from '../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../shared/judge/models.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { judgedDigestStore } from '../../shared/storage/suites/judgedDigests.ts';
import { knownDigestStore } from '../../shared/storage/suites/knownDigests.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getRevision, {
  dependencies: ({ table, now }) => {
    const suites = suiteReader(table);
    const { find } = knownDigestStore(table);
    const judged = judgedDigestStore(table);
    return {
      projects: projectReader(table),
      suites,
      chains: chainStore(table),
      atOneMoment: createAtOneMoment({ suites }),
      // It may write nothing: the first run keeps what it computes.
      digestOfSuite: createSuiteDigests({
        digests: { find },
        judgeIdentity: createJudgeIdentity(defaultModelsFromEnv(process.env)),
      }),
      repeated: async (suite: SuiteChain, digest: string) =>
        (await judged.find(suite, digest))?.repeated ?? [],
      now,
    };
  },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await suiteRevision(deps, principal, params.suiteId) },
  }),
});
