import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { DASHBOARD_OPTIONS } from '../../clients/dashboard/build.ts';
import type { Row } from '../result.ts';

/** In units of 1,024 bytes, as gzip packs them. */
const SCRIPTS_OF_PAGE_MAX = 60;
const STYLES_MAX = 12;
const ALL_SCRIPTS_MAX = 150;
/** The pages by which somebody comes in. */
const BOUNDED = ['sign-in', 'signed-in', 'cli', 'home', 'run'];

/** What a browser loads for each page of the dashboard, and for all. */
export async function dashboardRows(): Promise<Row[]> {
  const { outputFiles, metafile } = await build(DASHBOARD_OPTIONS);
  const { outputs } = metafile;
  const packed = new Map(
    outputFiles.map((file) => [path.basename(file.path), gzipSync(file.contents, { level: 9 }).length]),
  );
  const row = (what: string, names: Iterable<string>, atMost?: number): Row => {
    const bytes = [...names].reduce((sum, name) => sum + (packed.get(path.basename(name)) ?? Number.NaN), 0);
    const value = Math.round((bytes / 1_024) * 100) / 100;
    const metric = `dashboard, ${what}, gzipped`;
    return { metric, value, unit: 'kB', ...(atMost !== undefined && { bound: { atMost } }) };
  };
  /** With a script come those that it imports, but not those that it asks for later. */
  const loadedWith = (script: string, loaded = new Set<string>()): Set<string> => {
    if (loaded.has(script)) return loaded;
    loaded.add(script);
    for (const { path, kind } of outputs[script]?.imports ?? [])
      if (kind === 'import-statement') loadedWith(path, loaded);
    return loaded;
  };
  const ofEntry = (entry: string): string =>
    Object.keys(outputs).find((name) => outputs[name]?.entryPoint === entry) ?? entry;
  const ofPage = (page: string): Set<string> =>
    loadedWith(ofEntry(`pages/${page}/Page.tsx`), loadedWith(ofEntry('main.tsx')));
  const ending = (end: string): string[] => [...packed.keys()].filter((name) => name.endsWith(end));
  return [
    ...BOUNDED.map((page) => row(`scripts of ${page}`, ofPage(page), SCRIPTS_OF_PAGE_MAX)),
    row('all scripts', ending('.js'), ALL_SCRIPTS_MAX),
    row('styles', ending('.css'), STYLES_MAX),
  ];
}
