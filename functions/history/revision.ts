import { getBar } from '../../shared/contracts/history/history.ts';
import { barOfDigest } from '../../shared/domain/history/bars.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { judgedBarStore } from '../../shared/storage/suites/judgedBars.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(getBar, {
  stores: { projects: projectReader, suites: suiteReader, chains: chainStore, bars: judgedBarStore },
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: { data: await barOfDigest(deps, principal, params) },
  }),
});
