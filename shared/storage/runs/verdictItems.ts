import * as z from 'zod';
import { runDetailFields } from '../../contracts/runDetails.ts';
import type { VerdictRecord } from '../../domain/runs/ports.ts';
import { resultDigest } from '../../scoring/digest/outputs.ts';
import { restoreName, shortenName } from '../../scoring/verdict/shortNames.ts';
import type { Item } from '../table/table.ts';

const DIGEST_BYTES = 32;
const PREFIX = 'sha256:';

const bytesOf = (digest: string | null): Buffer =>
  digest === null ? Buffer.alloc(DIGEST_BYTES) : Buffer.from(digest.slice(PREFIX.length), 'hex');

function digestOf(bytes: Uint8Array, index: number): string | null {
  const digest = Buffer.from(bytes.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES));
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
  const { suite_digest, outputs_digest, judge_usage, kept, fault, compared, isSingle, waived } = record;
  const hasDigests = suite_digest !== null || outputs_digest !== null;
  const { missing_cases, advisory_cases, advisory_failed_cases } = record;
  const { surplus_outputs, surplus, pass_threshold, notices } = record;
  const plainFields = {
    missing_cases,
    advisory_cases,
    advisory_failed_cases,
    surplus_outputs,
    surplus,
    notices,
  };
  return {
    ...(hasDigests && { sha: Buffer.concat([bytesOf(suite_digest), bytesOf(outputs_digest)]) }),
    ...(kept !== null && keptAttributes(kept)),
    ...(judge_usage !== null && { judge: Object.values(judge_usage) }),
    ...(pass_threshold !== null && { bar: pass_threshold }),
    ...(fault && { fault }),
    ...(isSingle && { one: true }),
    ...(compared !== null && comparedAttributes(compared)),
    ...(waived !== null && { waived }),
    ...Object.fromEntries(Object.entries(plainFields).filter(([, value]) => isSaid(value))),
  };
}

type Compared = NonNullable<VerdictRecord['compared']>;

type ComparedValues = readonly [count: number, difference: number, p: number, comparable: 0 | 1, ...string[]];

/** Without names of fields, as `kept`. */
function comparedAttributes({ name, newlyFailing, ...figures }: Compared): Item {
  const { newlyFailingCount, difference, pValue, comparable } = figures;
  const keys = newlyFailing.map(shortenName);
  const values = [
    newlyFailingCount,
    difference,
    pValue,
    comparable ? 1 : 0,
    ...keys,
  ] satisfies ComparedValues;
  return { base: Buffer.from(name, 'hex'), worse: JSON.stringify(values) };
}

function readCompared({ base, worse }: Item): Compared | null {
  if (base === undefined) return null;
  const [count, difference, pValue, comparable, ...keys] = JSON.parse(String(worse)) as ComparedValues;
  return {
    name: Buffer.from(base as Uint8Array).toString('hex'),
    newlyFailing: keys.map(restoreName),
    newlyFailingCount: count,
    difference,
    pValue,
    comparable: comparable === 1,
  };
}

type Kept = NonNullable<VerdictRecord['kept']>;
/** Without names, of which every run would hold its own. */
type KeptValues = readonly [Kept['effectiveCases'], Kept['flips'], ...Kept['gates']];

const keptText = ({ effectiveCases, flips, gates }: Kept): string =>
  JSON.stringify([effectiveCases, flips, ...gates] satisfies KeptValues);

function keptFrom(text: string): Kept {
  const [effectiveCases, flips, ...gates] = JSON.parse(text) as KeptValues;
  return { effectiveCases, flips, gates };
}

const ID_BYTES = 16;
/** A UUID as a verdict keeps it: `=` and its bytes in base64url. */
const isShortId = (id: string): boolean => id.startsWith('=');

/** Up to 20 ids of cases, as bytes: text would cost a third more, and with it often another unit. */
function keptAttributes(kept: Kept): Item {
  const [cases, exact, ...ids] = kept.flips ?? [];
  if (cases === undefined || exact === undefined || ids.length === 0 || !ids.every(isShortId)) {
    return { kept: keptText(kept) };
  }
  const flip_ids = Buffer.concat(ids.map((id) => Buffer.from(id.slice(1), 'base64url')));
  return { kept: keptText({ ...kept, flips: [cases, exact] }), flip_ids };
}

function readKept(item: Item): Kept {
  const kept = keptFrom(String(item.kept));
  const bytes = Buffer.from((item.flip_ids as Uint8Array | undefined) ?? []);
  if (bytes.length === 0 || kept.flips === null) return kept;
  const ids = Array.from({ length: bytes.length / ID_BYTES }, (_, index) =>
    bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES).toString('base64url'),
  );
  return { ...kept, flips: [...kept.flips, ...ids.map((id) => `=${id}`)] };
}

const { verdict: _, baseline_id: __, comparison: ___, waiver: ____, ...fields } = runDetailFields;
const recordSchema = z.object(fields);

export function readVerdictRecord(item: Item): VerdictRecord {
  const digests = item.sha as Uint8Array | undefined;
  const judge = item.judge as number[] | undefined;
  return {
    ...recordSchema.parse({
      ...item,
      pass_threshold: item.bar,
      judge_usage: judge && {
        calls: judge[0],
        remembered: judge[1],
        input_tokens: judge[2],
        output_tokens: judge[3],
      },
      suite_digest: digests === undefined ? null : digestOf(digests, 0),
      outputs_digest: digests === undefined ? null : digestOf(digests, 1),
    }),
    isSingle: item.one === true,
    compared: readCompared(item),
    waived: item.waived === undefined ? null : Number(item.waived),
    kept: item.kept === undefined ? null : readKept(item),
  };
}
