import { createPairCases } from '../../domain/relative/against.ts';
import type { RelativeDeps } from '../../domain/relative/comparedRun.ts';
import type { NameJudge } from '../../domain/suites/bar/judgeIdentity.ts';
import { chainStore } from '../revisions/chains.ts';
import type { Table } from '../table/table.ts';
import { acceptedReader } from './accepted.ts';
import { commitStore } from './commits.ts';
import { waiverStore } from './waivers.ts';

/** What functions have that judge runs. */
export const relativeStores = (table: Table, nameJudge: NameJudge): RelativeDeps => ({
  baselines: acceptedReader(table),
  pairCases: createPairCases({ chains: chainStore(table), nameJudge }),
  waivers: waiverStore(table),
  commits: commitStore(table),
});
