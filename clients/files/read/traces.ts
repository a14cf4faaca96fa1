import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import { readTrace, type TraceReading } from '../../../shared/scoring/trace/read.ts';

/** What the agent of an output did, as the service reads it. Undefined where the item does not say. */
export function readItemTrace(item: {
  readonly trace?: unknown;
  readonly messages?: unknown;
}): TraceReading | undefined {
  const field = traceField(item);
  return field && readTrace(field, item[field]);
}

const traceField = (item: { readonly trace?: unknown; readonly messages?: unknown }) =>
  item.trace !== undefined ? 'trace' : item.messages !== undefined ? 'messages' : undefined;

/** Why the service would refuse the trace of an item, in a sentence. */
export function faultOfTrace(item: {
  readonly trace?: unknown;
  readonly messages?: unknown;
}): string | undefined {
  if (item.trace !== undefined && item.messages !== undefined)
    return 'messages must not be sent beside trace';
  const read = readItemTrace(item);
  return read === undefined || read.ok
    ? undefined
    : `${[traceField(item), ...read.path].join('.')} ${read.message}`;
}

/** What its agent said after the last call is not known. */
export function isUnanswered(item: OutputItem): boolean {
  if (item.output !== undefined || item.error !== undefined) return false;
  const read = readItemTrace(item);
  return read?.ok === true && read.output === undefined;
}
