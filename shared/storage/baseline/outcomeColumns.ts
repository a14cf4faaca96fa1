import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { AcceptedRuns, BaselineOutcome, JudgedOutcome } from '../../domain/runs/baseline/ports.ts';
import { COMPRESSION } from '../table/blobs.ts';

/** The first byte of what is packed. Readers refuse another format. */
const FORMAT = 1;

const ADVISORY = { none: '0', some: '1', all: '2' } as const;

/** Field by field, so that equal values are next to each other; a column that says only what is usual is left out. */
interface Columns extends Omit<AcceptedRuns, 'cases'> {
  /** A digit for each case. */
  readonly passed: string;
  /** Null where it is the share of the runs that passed. */
  readonly scores?: readonly (number | null)[];
  readonly errored?: string;
  readonly advisory?: string;
  /** Null for a case that no model judges. */
  readonly digests?: readonly (string | null)[];
  readonly models?: readonly (JudgedOutcome['models'] | null)[];
}

const unless = <T>(isUsual: boolean, column: T): T | undefined => (isUsual ? undefined : column);

function columnsOf({ cases, ...accepted }: AcceptedRuns): Columns {
  const scores = cases.map(({ passedRuns, meanScore }) =>
    meanScore === passedRuns / accepted.runs ? null : meanScore,
  );
  const isJudged = cases.some(({ judged }) => judged !== undefined);
  const columns = {
    scores: unless(
      scores.every((score) => score === null),
      scores,
    ),
    errored: unless(
      !cases.some(({ errored }) => errored),
      cases.map(({ errored }) => Number(errored)).join(''),
    ),
    advisory: unless(
      cases.every(({ advisory }) => advisory === 'none'),
      cases.map(({ advisory }) => ADVISORY[advisory]).join(''),
    ),
    digests: unless(
      !isJudged,
      cases.map(({ judged }) => judged?.outputDigest ?? null),
    ),
    models: unless(
      !isJudged,
      cases.map(({ judged }) => judged?.models ?? null),
    ),
  };
  const storedColumns = Object.fromEntries(
    Object.entries(columns).filter(([, column]) => column !== undefined),
  );
  return { ...accepted, passed: cases.map(({ passedRuns }) => passedRuns).join(''), ...storedColumns };
}

function acceptedIn(columns: Columns): AcceptedRuns {
  const { passed, scores, errored, advisory, digests, models, ...accepted } = columns;
  const advisories = Object.keys(ADVISORY) as (keyof typeof ADVISORY)[];
  const cases = Array.from(passed, (digit, index): BaselineOutcome => {
    const judgeModels = models?.[index] ?? null;
    return {
      passedRuns: Number(digit),
      meanScore: scores?.[index] ?? Number(digit) / accepted.runs,
      errored: errored?.[index] === '1',
      advisory: advisories[Number(advisory?.[index] ?? 0)] ?? 'all',
      ...(judgeModels !== null && {
        judged: { outputDigest: digests?.[index] ?? null, models: judgeModels },
      }),
    };
  });
  return { ...accepted, cases };
}

export function packAccepted(accepted: AcceptedRuns): Buffer {
  const columns = Buffer.from(JSON.stringify(columnsOf(accepted)));
  return Buffer.concat([Buffer.of(FORMAT), zstdCompressSync(columns, COMPRESSION)]);
}

export function unpackAccepted(packed: Uint8Array): AcceptedRuns {
  if (packed[0] !== FORMAT) throw new Error(`A baseline of a format that is not known: ${packed[0]}`);
  return acceptedIn(JSON.parse(zstdDecompressSync(packed.subarray(1)).toString()));
}
