import type { EvalCase } from '../../contracts/cases.ts';
import { LIMIT } from '../../domain/limits.ts';
import type { Created } from '../../domain/ports.ts';
import type { StoredSuite, SuiteStore, SuiteWithContents } from '../../domain/suites/ports.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { createListed, deleteListed, explainHead } from '../lists/listMembers.ts';
import { appendToList, idsOf, readList } from '../lists/lists.ts';
import { purgeDue } from '../purge/purges.ts';
import { putNew, replaceDocument, requireItem, seconds, softDelete } from '../table/documents.ts';
import {
  caseList,
  deletedSuiteKey,
  projectHeadKey,
  scorerList,
  suiteKey,
  suiteList,
  TTL,
} from '../table/keys.ts';
import { afterPushes } from '../table/pushes/afterPushes.ts';
import { NO_PUSH } from '../table/pushes/underWay.ts';
import type { Table, Write } from '../table/table.ts';
import { newCaseWrites } from './caseItems.ts';
import { bumpScorersRevision } from './projects.ts';
import { removeHead, suiteReader } from './readers/suiteReader.ts';
import { newScorerWrites } from './scorers.ts';
import { countFields, isJudgedType, judgesRevisionOf, NO_COUNTS } from './suiteCounts.ts';
import { bumpRevision, headKeyOf, newHead } from './suiteHeads.ts';
import { readSuite } from './suiteOfRun.ts';

const projectOf = (suite: StoredSuite) => ({ id: suite.project_id, slug: suite.project_slug });

/** The writes of a new suite's first scorers and cases, with a condition that its project exists. */
async function contentsWrites(
  table: Table,
  orgId: string,
  { suite, scorers, cases }: SuiteWithContents,
): Promise<Record<string, Write>> {
  if (scorers.length === 0) return { parent: requireItem(projectHeadKey(orgId, suite.project_slug)) };
  const list = scorerList(orgId, suite.project_id);
  const idsOfAll = (all: readonly { id: string }[]) => all.map(({ id }) => id);
  const documents = scorers.map((scorer) =>
    newScorerWrites(orgId, `scorer ${scorer.id}`, { ...scorer, project_slug: suite.project_slug }),
  );
  return {
    parent: bumpScorersRevision(orgId, projectOf(suite), { keepsJudges: true }),
    scorerList: appendToList(list, await readList(table, list), idsOfAll(scorers), LIMIT.scorers),
    ...Object.assign({}, ...documents, ...cases.map((evalCase) => newCaseWrites(orgId, evalCase))),
    caseList: appendToList(caseList(orgId, suite.id), [], idsOfAll(cases), LIMIT.cases),
  };
}

/** The counts of a new suite. */
async function countsOf(table: Table, orgId: string, { suite, scorers, cases }: SuiteWithContents) {
  if (cases.length === 0) return NO_COUNTS;
  const project = await table.get(projectHeadKey(orgId, suite.project_slug));
  // A project that is gone refuses the suite.
  if (project === undefined) return NO_COUNTS;
  const judges = new Set(scorers.filter(({ type }) => isJudgedType(type)).map(({ id }) => id));
  const active = cases.filter(({ is_active }) => is_active);
  const judged = active.filter(({ scorer_id }) => judges.has(scorer_id));
  const outputsOf = (some: readonly EvalCase[]) =>
    some.reduce((sum, { sample_count }) => sum + sample_count, 0);
  const counts = {
    cases: active.length,
    judged: outputsOf(judged),
    extraOutputs: outputsOf(active) - active.length,
    gating: active.filter(({ advisory }) => advisory === null).length,
  };
  return countFields({ ...counts, judgesRevision: judgesRevisionOf(project) }, 1);
}

async function createSuite(table: Table, orgId: string, contents: SuiteWithContents): Promise<Created> {
  const { suite, scorers } = contents;
  if (scorers.length > 0) {
    const scorerIds = idsOf(await readList(table, scorerList(orgId, suite.project_id)));
    if (scorerIds.length + scorers.length > LIMIT.scorers) return 'scorers_limit_reached';
  }
  return createListed(table, {
    id: suite.id,
    list: suiteList(orgId, suite.project_id),
    limit: LIMIT.suites,
    writes: async () => ({
      head: putNew(headKeyOf(orgId, suite), newHead(suite, await countsOf(table, orgId, contents))),
      document: putNew(suiteKey(orgId, suite.id), { ...suite, version: 1 }),
      ...(await contentsWrites(table, orgId, contents)),
    }),
    explain: explainHead(suite.id, 'suite_id'),
  });
}

async function deleteSuite(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  deletedAt: string,
): Promise<boolean> {
  const { id, slug, project_id: projectId } = suite;
  return deleteListed(table, {
    id,
    list: suiteList(orgId, projectId),
    writes: {
      head: ifNoPush(removeHead(orgId, { slug, projectId, suiteId: id })),
      document: softDelete(suiteKey(orgId, id), deletedAt),
      deleted: markDeleted(orgId, suite, deletedAt),
      purge: purgeDue(orgId, 'suite', id, deletedAt),
    },
  });
}

/** Longer than any plan keeps runs. */
const RUNS_LEFT_DAYS = 400;

/** Its runs are kept, and a change of plan has to find them. */
function markDeleted(orgId: string, { id, project_id, project_slug }: StoredSuite, deletedAt: string): Write {
  const expiry = { [TTL]: seconds(deletedAt) + RUNS_LEFT_DAYS * DAY_SECONDS };
  return {
    Put: { Item: { ...deletedSuiteKey(orgId, id), suite_id: id, project_id, project_slug, ...expiry } },
  };
}

function ifNoPush({ Delete }: Write): Write {
  if (Delete === undefined) throw new Error('A head is deleted');
  return { Delete: { ...Delete, ConditionExpression: `${Delete.ConditionExpression} AND ${NO_PUSH}` } };
}

export function suiteStore(any: Table): SuiteStore {
  const table = afterPushes(any);
  return {
    ...suiteReader(any),

    create: (orgId, contents) => createSuite(table, orgId, contents),

    update: (orgId, id, change) =>
      replaceDocument<StoredSuite>(table, {
        key: suiteKey(orgId, id),
        read: readSuite,
        write: (suite) => ({ ...suite }),
        change,
        alongside: (suite) => ({ head: bumpRevision(orgId, suite, 'none') }),
      }),

    delete: (orgId, suite, deletedAt) => deleteSuite(table, orgId, suite, deletedAt),
  };
}
