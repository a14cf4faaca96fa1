import path from 'node:path';
import { slugOf } from '../../../importers/imports/keys.ts';
import { importTraces, SCORERS } from '../../../importers/traces/import.ts';
import type { Handler } from '../../context.ts';
import { readText } from '../../input/readText.ts';
import { Problem } from '../../problem.ts';
import { finishImport, type ImportOptions, placeOfImport, readImport } from './finishImport.ts';

interface TracesImportOptions extends ImportOptions {
  readonly scorer?: string;
  readonly key?: string;
  readonly arguments?: string;
}

/** Writes a suite of recorded traces: each expects what its agent did. */
export const importFromTraces: Handler<TracesImportOptions> = async (context, [file = ''], options) => {
  const { key, arguments: compared } = options;
  const scorer = SCORERS.find((name) => name === (options.scorer ?? 'calls'));
  if (scorer === undefined)
    throw new Problem(`--scorer ${options.scorer} is not known.`, `Which there are: ${SCORERS.join(', ')}`);
  if (compared !== undefined && compared !== 'all')
    throw new Problem(`--arguments ${compared} is not known.`, 'Write --arguments all, or leave it out.');
  const place = placeOfImport(context, file);
  const text = await readText(context.io, file);
  const slug = slugOf(path.parse(place.absolute).name, 60) || 'imported';
  const imported = await readImport(context, file, (problems) =>
    importTraces(text, { file: place.name, slug, key, scorer, comparesProse: compared === 'all' }, problems),
  );
  return finishImport(context, imported, { ...options, place, hint: undefined });
};
