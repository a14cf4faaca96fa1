import type { PairCases } from '../../domain/runs/baseline/against.ts';
import type { RelativeDeps } from '../../domain/runs/baseline/comparedRun.ts';
import type { NameJudge } from '../../domain/suites/digests/judgeIdentity.ts';
import { chainStore } from '../revisions/chains.ts';
import type { Table } from '../table/table.ts';

/** What functions have that judge runs. Few suites have a baseline, waivers or jobs: their code is read with the first. */
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
      const { createPairCases } = await import('../../domain/runs/baseline/against.ts');
      pairCases ??= createPairCases({ chains: chainStore(table), nameJudge });
      return pairCases(run, accepted);
    },
    waivers: {
      async waived(...parameters) {
        const { waiverStore } = await import('./waivers.ts');
        return waiverStore(table).waived(...parameters);
      },
      async find(...parameters) {
        const { waiverStore } = await import('./waivers.ts');
        return waiverStore(table).find(...parameters);
      },
    },
    commits: {
      async count(...parameters) {
        const { commitStore } = await import('./commits.ts');
        return commitStore(table).count(...parameters);
      },
    },
  };
}
