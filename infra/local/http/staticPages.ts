import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type MadePage, PAGE_FILES, type PageFile } from '../../../clients/pages/files.ts';
import { PAGE_HEADERS } from '../../../clients/pages/headers.ts';
import type { Pages } from './httpServer.ts';
import { madeBy, ROOT } from './made.ts';

/**
 * The files that a deployment serves from a bucket, each read, or made, when it is asked for first. Under another method
 * than GET they are no pages.
 */
export function staticPages(): Pages {
  const pages = new Map(PAGE_FILES.map((page) => [page.path, page]));
  const bodies = new Map<string, Promise<Buffer | undefined>>();
  const bodyOf = (page: PageFile | MadePage): Promise<Buffer | undefined> => {
    const known = bodies.get(page.path);
    if (known !== undefined) return known;
    const body = 'file' in page ? readFile(path.join(ROOT, 'clients/pages', page.file)) : makeFile(page);
    bodies.set(page.path, body);
    // The next request tries anew.
    body.catch(() => bodies.delete(page.path));
    return body;
  };
  return ({ method, path: requested }) => {
    const page = ['GET', 'HEAD'].includes(method) ? pages.get(requested) : undefined;
    return page && bodyOf(page).then((body) => (body === undefined ? NOT_MADE : answerWith(page, body)));
  };
}

/** An installation that only runs the service can't pack; it has the package where an image was built with it. */
async function makeFile({ madeBy: script, keptIn }: MadePage): Promise<Buffer | undefined> {
  if (keptIn === undefined) return madeBy(script);
  const kept = path.join(ROOT, keptIn);
  if (existsSync(kept)) return readFile(kept);
  if (!existsSync(path.join(ROOT, 'node_modules/typescript'))) return undefined;
  return madeBy(script);
}

const NOT_MADE = {
  statusCode: 503,
  headers: { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' },
  body: 'What packs this file is not installed: stop the service, run `npm ci` in its folder, and start it again.\n',
};

const answerWith = ({ type }: PageFile | MadePage, body: Buffer) => ({
  statusCode: 200,
  headers: { ...PAGE_HEADERS, 'content-type': type },
  body: body.toString('base64'),
  isBase64Encoded: true,
});
