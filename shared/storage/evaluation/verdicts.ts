import type { CaseResult, Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { JudgedCaseStore, KeptVerdict, VerdictStore } from '../../domain/evaluation/ports.ts';
import { PLAN } from '../../domain/plans.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { PART_BYTES_MAX, packJson, unpackJson } from '../table/blobs.ts';
import { workingTtlOf } from '../table/expiry.ts';
import { below, judgedKey, lastNumberOf, PK, TTL, verdictKey, verdictsOfSuite } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** As long as a deleted text is kept anyway. */
const REMEMBERED_DAYS = 30;

/** What came of single samples in one run, but for verdicts: another evaluator of the chunk does not ask again. */
export function judgedCases(table: Table): JudgedCaseStore {
  return {
    async saveJudged(evaluation, chunk, sample, { result, usage }) {
      const { orgId, run, runToken } = evaluation;
      const { scorer_output } = result;
      // The first outcome stays: a holder that lost its chunk must not replace it.
      await table.putIfAbsent({
        ...judgedKey(orgId, run.suite_id, runToken, chunk, sample),
        ...workingTtlOf(evaluation),
        bytes: packedWith(scorer_output, (output) => ({ ...result, scorer_output: output })),
        tokens: [usage.input_tokens, usage.output_tokens],
      });
    },

    async judged({ orgId, run, runToken }, chunk) {
      const items = await table.query(below(judgedKey(orgId, run.suite_id, runToken, chunk)));
      return new Map(
        items.map((item) => {
          const [input_tokens = 0, output_tokens = 0] = (item.tokens ?? []) as number[];
          const result = unpackJson(item.bytes as Uint8Array) as CaseResult;
          return [lastNumberOf(item), { result, usage: { input_tokens, output_tokens } }];
        }),
      );
    },
  };
}

type ShownOutput = KeptVerdict['output'];

/** Of an answer that is too large for an item, the verdict alone. */
function packedWith(output: ShownOutput, shape: (output: ShownOutput) => unknown): Buffer {
  const bytes = packJson(shape(output));
  if (bytes.length <= PART_BYTES_MAX) return bytes;
  return packJson(shape({ ...output, raw_response: null, truncated: true }));
}

export function keptVerdicts(table: Table, now: () => number): Omit<VerdictStore, 'saveJudged'> {
  return {
    async verdicts({ orgId, run }, digests) {
      const distinct = [...new Set(digests)];
      const keys = distinct.map((digest) => verdictKey(orgId, run.suite_id, digest));
      const items = await table.getMany(keys, { mayLag: true });
      return new Map(
        items.flatMap((item, index) =>
          item === undefined ? [] : [[distinct[index] ?? '', verdictIn(item)]],
        ),
      );
    },

    async keepVerdict(evaluation, digest, kept, { replaces }) {
      const { orgId, run } = evaluation;
      const { output, runToken, chunk, place, keptAtMs, ...verdict } = kept;
      const isFree = `attribute_not_exists(${PK}) OR ${TTL} <= :seconds`;
      const { updated, item } = await table.update({
        Key: verdictKey(orgId, run.suite_id, digest),
        UpdateExpression: `SET attempt = :attempt, place = :place, kept_at = :kept_at, bytes = :bytes, ${TTL} = :ttl`,
        // An expired item may still be there.
        ConditionExpression: replaces ? `${isFree} OR attempt <> :attempt` : isFree,
        ExpressionAttributeValues: {
          ':attempt': runToken,
          ':place': [chunk, place],
          ':kept_at': keptAtMs,
          ':bytes': packedWith(output, (shown) => ({ ...verdict, output: shown })),
          ':ttl': Math.floor(keptAtMs / 1_000) + DAY_SECONDS * daysOf(evaluation),
          ':seconds': Math.floor(now() / 1_000),
        },
      });
      return updated || item === undefined ? kept : verdictIn(item);
    },

    async verdictsOfRun({ orgId, run, runToken }, chunk) {
      const isOfChunk = (item: Item) => item.attempt === runToken && (item.place as number[])[0] === chunk;
      const items = await table.query(verdictsOfSuite(orgId, run.suite_id), {
        slim: (item) => (isOfChunk(item) ? item : NOTHING),
      });
      return items.filter((item) => item !== NOTHING).map(verdictIn);
    },
  };
}

const NOTHING: Item = {};

const daysOf = ({ usagePlan }: Evaluation): number =>
  Math.min(REMEMBERED_DAYS, PLAN[usagePlan?.id ?? 'free'].retentionDays);

function verdictIn({ bytes, attempt, place, kept_at }: Item): KeptVerdict {
  const [chunk = 0, sample = 0] = place as number[];
  const verdict = unpackJson(bytes as Uint8Array) as Omit<
    KeptVerdict,
    'runToken' | 'chunk' | 'place' | 'keptAtMs'
  >;
  return { ...verdict, runToken: String(attempt), chunk, place: sample, keptAtMs: Number(kept_at) };
}
