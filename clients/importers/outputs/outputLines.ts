import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import type { Place, Problems } from '../../files/read/problems.ts';

/** What files of outputs hold. */
export interface OutputLines {
  readonly items: readonly OutputItem[];
  /** Of each item: its file, as the caller named it, and its line, from 1. */
  readonly places: readonly Pick<Place, 'file' | 'line'>[];
}

export const TOO_MANY = `is one line too many: a run sends at most ${OUTPUTS_MAX} outputs`;

/** The outputs of all files, which are one run's. */
export function joined(files: readonly OutputLines[], problems: Problems): OutputLines {
  const places = files.flatMap((file) => file.places);
  const beyond = places[OUTPUTS_MAX];
  if (beyond !== undefined) problems.error({ ...beyond, column: 1 }, TOO_MANY);
  return { items: files.flatMap(({ items }) => items), places };
}

/** What the service says of a field of the outputs that it refused, with the line where it stands. */
export function outputIssue(
  { items, places }: OutputLines = { items: [], places: [] },
  { path, message }: { readonly path: string; readonly message: string },
): string {
  const [, number, within = ''] = /^outputs\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  const index = Number(number ?? -1);
  const place = places[index];
  if (place === undefined) return `${path}: ${message}`;
  const issue = `${place.file}:${place.line}:1: error: ${within === '' ? '' : `${within} `}${message}`;
  const first = within === '' ? items.findIndex((item) => item.case === items[index]?.case) : index;
  const other = first < index ? places[first] : undefined;
  return other === undefined ? issue : `${issue}; the first one is at ${other.file}:${other.line}`;
}
