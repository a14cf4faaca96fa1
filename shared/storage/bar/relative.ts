import type { PairCases } from '../../domain/relative/against.ts';
import type { RelativeDeps } from '../../domain/relative/comparedRun.ts';
import type { NameJudge } from '../../domain/suites/bar/judgeIdentity.ts';
import { chainStore } from '../revisions/chains.ts';
import type { Table } from '../table/table.ts';
import { commitStore } from './commits.ts';

/** What functions have that judge runs. Few suites have a baseline or waivers: their code is read with the first. */
export function relativeStores(table: Table, nameJudge: NameJudge): RelativeDeps {
  let baselines: RelativeDeps['baselines'] | undefined;
  let pairCases: PairCases | undefined;
  return {
    baselines: {
      async accepted(suite, name) {
        const { acceptedReader } = await import('./accepted.ts');
        baselines ??= acceptedReader(table);
        return baselines.accepted(suite, name);
      },
    },
    async pairCases(run, accepted) {
      const { createPairCases } = await import('../../domain/relative/against.ts');
      pairCases ??= createPairCases({ chains: chainStore(table), nameJudge });
      return pairCases(run, accepted);
    },
    waivers: {
      async waived(...of) {
        const { waiverStore } = await import('./waivers.ts');
        return waiverStore(table).waived(...of);
      },
      async find(...of) {
        const { waiverStore } = await import('./waivers.ts');
        return waiverStore(table).find(...of);
      },
    },
    commits: commitStore(table),
  };
}
