import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { PAGE_HEADERS } from '../../../clients/pages/headers.ts';
import type { Pages } from './httpServer.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../clients/pages');

/** The files that a deployment serves from a bucket, read once. Under another method than GET they are no pages. */
export function staticPages(): Pages {
  const answers = new Map(
    PAGE_FILES.map(({ path: servedAt, file, type }) => [
      servedAt,
      {
        statusCode: 200,
        headers: { ...PAGE_HEADERS, 'content-type': type },
        body: readFileSync(path.join(FOLDER, file), 'utf8'),
      },
    ]),
  );
  return ({ method, path: asked }) => {
    const answer = ['GET', 'HEAD'].includes(method) ? answers.get(asked) : undefined;
    return answer && Promise.resolve(answer);
  };
}
