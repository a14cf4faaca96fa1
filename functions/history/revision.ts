import { getBar } from '../../shared/contracts/history/history.ts';
import { suiteOfDigest } from '../../shared/domain/history/judgedSuites.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { judgedDigestStore } from '../../shared/storage/suites/judgedDigests.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getBar, {
  stores: { projects: projectReader, suites: suiteReader, chains: chainStore, digests: judgedDigestStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await suiteOfDigest(deps, principal, params) },
  }),
});
