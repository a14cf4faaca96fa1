import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { APP_MADE_BY, type AppFile, appConfig, type Offers, readApp } from '../../clients/pages/app.ts';
import { PAGE_FILES } from '../../clients/pages/files.ts';

/** A file that the edge serves from the bucket: `/docs` is the object `docs`. */
interface BucketFile {
  readonly key: string;
  readonly body: Buffer;
}

/** Files of one type, which are copied together: a deployment of the CDK gives all its files one type. */
export interface Upload {
  /** A key, or a pattern of keys that stays when the files' names change. */
  readonly include: string;
  readonly type: string;
  /** Where the policy of the edge's headers says nothing of it. */
  readonly cacheControl?: string | undefined;
}

export interface BucketFiles {
  readonly files: readonly BucketFile[];
  readonly uploads: readonly Upload[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');
const keyOf = ({ path: servedAt }: { readonly path: string }): string => servedAt.slice(1);

/** What scripts write to stdout. It is the same for every environment. */
const written = new Map<string, Buffer>();

function madeBy(script: string): Buffer {
  const body =
    written.get(script) ??
    execFileSync(process.execPath, [path.join(ROOT, script)], { maxBuffer: 50_000_000 });
  written.set(script, body);
  return body;
}

export const pageFiles = (): BucketFiles => ({
  files: PAGE_FILES.map((page) => ({
    key: keyOf(page),
    body: 'file' in page ? readFileSync(path.join(ROOT, 'clients/pages', page.file)) : madeBy(page.madeBy),
  })),
  uploads: PAGE_FILES.map((page) => ({ include: keyOf(page), type: page.type })),
});

export const isAsset = ({ include }: Upload): boolean => include.startsWith('assets/');

export function appFiles(offers: Offers): BucketFiles {
  const files = [...readApp(madeBy(APP_MADE_BY)), appConfig(offers)];
  const uploads = files.map((file): Upload => {
    const { type, cacheControl } = file;
    return { include: patternOf(file), type, cacheControl };
  });
  return {
    files: files.map((file) => ({ key: keyOf(file), body: file.body })),
    uploads: [...new Map(uploads.map((upload) => [upload.include, upload])).values()],
  };
}

const patternOf = (file: AppFile): string => keyOf(file).replace(/^assets\/.*(?=\.\w+$)/, 'assets/*');
