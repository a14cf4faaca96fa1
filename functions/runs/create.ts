import { createRun } from '../../shared/contracts/runs.ts';
import { executeRun } from '../../shared/domain/runs/execute.ts';
import { createSuiteCache } from '../../shared/domain/runs/suiteCache.ts';
import { verdictAnswer } from '../../shared/domain/runs/verdictAnswer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { projectStore } from '../../shared/storage/projects.ts';
import { runStore } from '../../shared/storage/runs.ts';
import { suiteStore } from '../../shared/storage/suites.ts';

export const handler = endpoint(createRun, {
  dependencies: ({ table, now, newId }) => {
    const suites = suiteStore(table);
    return {
      projects: projectStore(table),
      suites,
      suiteCache: createSuiteCache(suites),
      runs: runStore(table, newId),
      now,
      newId,
    };
  },
  handle: async ({ principal, body }, deps) => ({
    status: 200,
    body: verdictAnswer(await executeRun(deps, principal, body)),
  }),
});
