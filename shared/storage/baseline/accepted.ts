import type { AcceptedReader, AcceptedRuns } from '../../domain/runs/baseline/ports.ts';
import { ByName } from '../revisions/byName.ts';
import { readBlob } from '../table/blobs.ts';
import { baselineCasesKey, casesOfBaseline, suitePartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { unpackAccepted } from './outcomeColumns.ts';

/** Of cases, in all baselines that a function knows. */
const CASES_MAX = 40_000;

/** For functions that compare runs with what was accepted, which never changes. */
export function acceptedReader(table: Table): AcceptedReader {
  const known = new ByName<AcceptedRuns | undefined>(CASES_MAX);
  return {
    async accepted({ orgId, id }, name) {
      const partition = suitePartition(orgId, id);
      const [acceptedCases] = await known.all([baselineCasesKey(partition, name, 0)], async () => {
        const bytes = await readBlob(table, casesOfBaseline(partition, name));
        if (bytes.length === 0) return [{ value: undefined, size: 0 }];
        const value = unpackAccepted(bytes);
        return [{ value, size: value.cases.length + 1 }];
      });
      return acceptedCases;
    },
  };
}
