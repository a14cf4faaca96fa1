import { listRevisions } from '../../shared/contracts/history/history.ts';
import { judgedBars } from '../../shared/domain/history/bars.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listed } from '../../shared/http/pagination.ts';
import { judgedBarStore } from '../../shared/storage/suites/judgedBars.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { suiteReader } from '../../shared/storage/suites/readers/suiteReader.ts';

export const handler = endpoint(listRevisions, {
  stores: { projects: projectReader, suites: suiteReader, bars: judgedBarStore },
  handle: async ({ principal, params, query }, deps) => ({
    status: 200,
    body: listed(await judgedBars(deps, principal, params.suiteId, query), query),
  }),
});
