import { createHash } from 'node:crypto';
import { fromBase62, toBase62 } from '../base62.ts';

/** A suite has at most 2^40 runs. */
const NUMBER_BITS = 40n;
const UUID_BITS = 128n;

/** Where a run is stored. The place is encoded in the run's id, so that no index is needed. */
export interface RunPlace {
  readonly suiteId: string;
  /** Runs of a suite are numbered from 1 in the order in which they are stored. Some numbers are of no run. */
  readonly number: number;
}

const asUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export function runId({ suiteId, number }: RunPlace): string {
  const suite = BigInt(`0x${suiteId.replaceAll('-', '')}`);
  return `run_${toBase62((suite << NUMBER_BITS) | BigInt(number))}`;
}

export function placeOfRun(id: string): RunPlace | undefined {
  if (!/^run_[0-9A-Za-z]{1,32}$/.test(id)) return undefined;
  const value = fromBase62(id.slice('run_'.length));
  if (value >> (UUID_BITS + NUMBER_BITS) !== 0n) return undefined;
  const suiteId = asUuid((value >> NUMBER_BITS).toString(16).padStart(32, '0'));
  const place = { suiteId, number: Number(value & ((1n << NUMBER_BITS) - 1n)) };
  return runId(place) === id ? place : undefined;
}

/** The id of a case's result in a run. It is computed, not stored. */
export function resultId(run: string, caseId: string): string {
  const hex = createHash('sha256').update(`${run}/${caseId}`).digest('hex').slice(0, 32);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return asUuid(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant}${hex.slice(17)}`);
}
