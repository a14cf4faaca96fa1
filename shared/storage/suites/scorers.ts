import * as z from 'zod';
import { scorerSchema } from '../../contracts/scorers.ts';
import { LIMIT } from '../../domain/limits.ts';
import type { ScorerStore, StoredScorer } from '../../domain/suites/ports.ts';
import type { Owner } from '../../domain/suites/pushed.ts';
import {
  freeKey,
  isFreedKey,
  keyedOf,
  keysOfProject,
  meetsTakenKey,
  moveKey,
  takeKey,
  takenKeys,
} from '../lists/heldKeys.ts';
import { createListed, deleteListed, explainHead } from '../lists/listMembers.ts';
import { readPage } from '../lists/pages.ts';
import { fromText, ifVersionIs, putNew, replaceDocument, softDelete, toText } from '../table/documents.ts';
import { scorerKey, scorerList } from '../table/keys.ts';
import { afterPushes } from '../table/pushes/afterPushes.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { suitesByScorer } from './definitions/scorerUses.ts';
import { bumpScorersRevision } from './projects.ts';
import { isJudgedType } from './suiteCounts.ts';

const storedScorerSchema = scorerSchema.extend({
  project_slug: z.string(),
  made_by_push: z.boolean().optional(),
  pushed_at: z.string().optional(),
  owner: z.custom<Owner>().optional(),
});

export const readScorer = (item: Item): StoredScorer =>
  storedScorerSchema.parse({ ...item, ...keyedOf(item), config: fromText(item.config) });

export const writeScorer = (scorer: StoredScorer): Item => ({ ...scorer, config: toText(scorer.config) });

const keysOf = (orgId: string, { project_id }: StoredScorer) => keysOfProject(orgId, project_id);

/** The scorer's item under the given name, and its key's. */
export const newScorerWrites = (
  orgId: string,
  name: string,
  scorer: StoredScorer,
): Record<string, Write> => ({
  [name]: putNew(scorerKey(orgId, scorer.id), { ...writeScorer(scorer), version: 1 }),
  ...takeKey(keysOf(orgId, scorer), scorer),
});

const projectOf = (scorer: StoredScorer) => ({ id: scorer.project_id, slug: scorer.project_slug });

export function scorerStore(any: Table): ScorerStore {
  const table = afterPushes(any);
  return {
    create: (orgId, scorer) =>
      createListed(table, {
        id: scorer.id,
        list: scorerList(orgId, scorer.project_id),
        limit: LIMIT.scorers,
        writes: {
          parent: bumpScorersRevision(orgId, projectOf(scorer), { keepsJudges: true }),
          ...newScorerWrites(orgId, 'head', scorer),
        },
        explain: explainHead(scorer.id, 'id'),
      }),

    takenKeys: (orgId, projectId, keys) => takenKeys(table, keysOfProject(orgId, projectId), keys),

    async find(orgId, id) {
      const item = await table.get(scorerKey(orgId, id));
      return item && readScorer(item);
    },

    suitesUsing: async (orgId, scorer) => (await suitesByScorer(any, orgId, scorer)).get(scorer.id) ?? [],

    page: (orgId, projectId, query) =>
      readPage(table, {
        list: scorerList(orgId, projectId),
        query,
        keyOf: (id) => scorerKey(orgId, id),
        read: readScorer,
      }),

    update: (orgId, id, change) =>
      replaceDocument<StoredScorer, 'key_taken'>(table, {
        key: scorerKey(orgId, id),
        read: readScorer,
        write: writeScorer,
        change,
        alongside: (scorer, before) => {
          const keepsJudges = isJudgedType(scorer.type) === isJudgedType(before.type);
          return {
            project: bumpScorersRevision(orgId, projectOf(scorer), { keepsJudges }),
            ...moveKey(keysOf(orgId, scorer), keyedOf(before), scorer),
          };
        },
        refusal: (failed) => (meetsTakenKey(failed) && !failed.has('project') ? 'key_taken' : undefined),
      }),

    delete: (orgId, scorer, deletedAt) =>
      deleteListed(table, {
        id: scorer.id,
        list: scorerList(orgId, scorer.project_id),
        async writes() {
          const key = scorerKey(orgId, scorer.id);
          const item = await table.get(key);
          if (item === undefined) return undefined;
          const keepsJudges = !isJudgedType(item.type);
          return {
            parent: bumpScorersRevision(orgId, projectOf(scorer), { keepsJudges }),
            document: ifVersionIs(item, softDelete(key, deletedAt)),
            ...freeKey(keysOf(orgId, scorer), keyedOf(item)),
          };
        },
        isChanged: (name, item) =>
          isFreedKey(name) || (name === 'document' && item !== undefined && item.deleted_at === undefined),
      }),
  };
}
