import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type MadePage, PAGE_FILES, type PageFile } from '../../../clients/pages/files.ts';
import { PAGE_HEADERS } from '../../../clients/pages/headers.ts';
import type { Pages } from './httpServer.ts';

/** Far more than any of them has. */
const MADE = { encoding: 'buffer', maxBuffer: 50_000_000 } as const;
const ROOT = path.resolve(import.meta.dirname, '../../..');

/**
 * The files that a deployment serves from a bucket, each read, or made, when it is asked for first. Under another method
 * than GET they are no pages.
 */
export function staticPages(): Pages {
  const pages = new Map(PAGE_FILES.map((page) => [page.path, page]));
  const bodies = new Map<string, Promise<Buffer>>();
  const bodyOf = (page: PageFile | MadePage): Promise<Buffer> => {
    const known = bodies.get(page.path);
    if (known !== undefined) return known;
    const body = 'file' in page ? readFile(path.join(ROOT, 'clients/pages', page.file)) : made(page);
    bodies.set(page.path, body);
    // The next request tries anew.
    body.catch(() => bodies.delete(page.path));
    return body;
  };
  return ({ method, path: requested }) => {
    const page = ['GET', 'HEAD'].includes(method) ? pages.get(requested) : undefined;
    return page && bodyOf(page).then((body) => answerWith(page, body));
  };
}

const answerWith = ({ type }: PageFile | MadePage, body: Buffer) => ({
  statusCode: 200,
  headers: { ...PAGE_HEADERS, 'content-type': type },
  body: body.toString('base64'),
  isBase64Encoded: true,
});

/** In a process of its own: the service goes on answering. */
const made = async ({ madeBy }: MadePage): Promise<Buffer> =>
  (await promisify(execFile)(process.execPath, [path.join(ROOT, madeBy)], MADE)).stdout;
