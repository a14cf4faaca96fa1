import { objectIn } from '../../files/read/jsonText.ts';
import { durationMs } from '../../sdk/index.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';
import { readText } from './readText.ts';

/** `--input`: JSON, or `@` and a file of it. */
export async function inputOf(io: Io, given: string): Promise<Readonly<Record<string, unknown>>> {
  const read = objectIn(given.startsWith('@') ? await readText(io, given.slice(1)) : given);
  if (typeof read !== 'string') return read.object;
  const hint = `Such as --input '{"question": "…"}', or --input @input.json`;
  throw new Problem(`--input ${read}.`, hint);
}

/** `--meta sha=1f2e3d` and its like, as often as needed. */
export function pairsOf(
  option: string,
  given: readonly string[],
  example: string,
): Readonly<Record<string, string>> {
  const pairs = given.map((text): [string, string] => {
    const separator = text.indexOf('=');
    if (separator < 1) throw new Problem(`${option} ${text} is no pair.`, `Such as ${option} ${example}`);
    return [text.slice(0, separator), text.slice(separator + 1)];
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Problem(`${option} ${twice} is given twice.`, 'Leave one out.');
  return Object.fromEntries(pairs);
}

type OneOf =
  | { readonly output: string; readonly outputs?: undefined }
  | { readonly output?: undefined; readonly outputs: readonly string[] };

/** `--output` or `--outputs`. */
export function oneOf({ output, outputs }: { output?: string; outputs?: readonly string[] }): OneOf {
  if (output !== undefined && outputs === undefined) return { output };
  if (output === undefined && outputs !== undefined) return { outputs };
  const hint = 'One answer for all cases: --output answer.txt. One for each case: --outputs answers.jsonl';
  throw new Problem('Give either --output or --outputs.', hint);
}

/** `--wait`, checked before anything is sent. */
export function waitOf(given: string): string {
  try {
    durationMs(given);
    return given;
  } catch {
    throw new Problem(`--wait ${given} is no duration.`, 'Such as --wait 90s, 15m or 1h');
  }
}

const DAY_MS = 86_400_000;

/** `--expires`: so long from now, as a time. */
export function expiryOf(given: string, nowMs: number): string {
  const [, days] = /^(\d{1,3})d$/.exec(given) ?? [];
  try {
    return new Date(nowMs + (days === undefined ? durationMs(given) : Number(days) * DAY_MS)).toISOString();
  } catch {
    throw new Problem(`--expires ${given} is no duration.`, 'Such as --expires 12h or 7d');
  }
}

/** An id or a slug that stands in a path. */
export function nameOf(what: string, given: string): string {
  if (/^[\w-]{1,200}$/.test(given)) return given;
  throw new Problem(`${given} is no ${what}.`, 'Which there are: evalgate runs');
}

/** A whole number of at least 1. */
export function countOf(option: string, given: string, max: number): number {
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new Problem(`${option} ${given} is no whole number from 1 to ${max}.`);
}

/** `Idempotency-Key`: visible ASCII. */
export function idempotencyKeyOf(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID();
  if (/^[\x21-\x7e]{1,255}$/.test(given)) return given;
  throw new Problem('--idempotency-key is not 1 to 255 visible characters of ASCII.');
}
