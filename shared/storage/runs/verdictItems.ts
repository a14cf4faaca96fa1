import * as z from 'zod';
import { runDetailFields } from '../../contracts/runDetails.ts';
import type { VerdictRecord } from '../../domain/runs/ports.ts';
import { resultDigest } from '../../scoring/digest/outputs.ts';
import type { Item } from '../table/table.ts';

const DIGEST_BYTES = 32;
const PREFIX = 'sha256:';

const bytesOf = (digest: string | null): Buffer =>
  digest === null ? Buffer.alloc(DIGEST_BYTES) : Buffer.from(digest.slice(PREFIX.length), 'hex');

function digestOf(bytes: Uint8Array, at: number): string | null {
  const digest = Buffer.from(bytes.subarray(at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES));
  return digest.some((byte) => byte > 0) ? `${PREFIX}${digest.toString('hex')}` : null;
}

/** As results have it, of a run with one output: that output's digest is the run's. */
export const outputDigestOf = (outputsDigest: string | null): string | null =>
  outputsDigest === null ? null : resultDigest([outputsDigest.slice(PREFIX.length)]);

const isSaid = (value: unknown): boolean =>
  value !== 0 && value !== null && !(Array.isArray(value) && value.length === 0);

/**
 * What a run's item holds of a verdict beside the document's figures. It is short: two digests as bytes, and only
 * what is not as by default.
 */
export function verdictAttributes(record: VerdictRecord): Item {
  const { suite_digest, outputs_digest, kept } = record;
  const hasDigests = suite_digest !== null || outputs_digest !== null;
  const { missing_cases, advisory_cases, advisory_failed_cases } = record;
  const { surplus_outputs, surplus, pass_threshold, notices } = record;
  const others = {
    ...{ missing_cases, advisory_cases, advisory_failed_cases },
    ...{ surplus_outputs, surplus, notices },
  };
  return {
    ...(hasDigests && { digests: Buffer.concat([bytesOf(suite_digest), bytesOf(outputs_digest)]) }),
    ...(kept !== null && { kept: keptText(kept) }),
    ...(pass_threshold !== null && { bar: pass_threshold }),
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => isSaid(value))),
  };
}

const { verdict: _, ...fields } = runDetailFields;
const recordSchema = z.object(fields);

type Kept = NonNullable<VerdictRecord['kept']>;
type KeptValues = readonly [Kept['effectiveCases'], Kept['flips'], ...Kept['gates']];

/** Without names, of which each run would store its own. */
function keptText({ effectiveCases, flips, gates }: Kept): string {
  return JSON.stringify([effectiveCases, flips, ...gates] satisfies KeptValues);
}

function keptFrom(text: string): Kept {
  const [effectiveCases, flips, ...gates] = JSON.parse(text) as KeptValues;
  return { effectiveCases, flips, gates };
}

/** Of an item with the figures, from this version or an earlier one. */
export function readVerdictRecord(item: Item): VerdictRecord {
  const digests = item.digests as Uint8Array | undefined;
  return {
    ...recordSchema.parse({
      ...item,
      pass_threshold: item.bar,
      suite_digest: digests === undefined ? null : digestOf(digests, 0),
      outputs_digest: digests === undefined ? null : digestOf(digests, 1),
    }),
    kept: item.kept === undefined ? null : keptFrom(String(item.kept)),
  };
}
