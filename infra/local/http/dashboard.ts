import { gzipSync } from 'node:zlib';
import {
  APP_MADE_BY,
  APP_PAGE,
  type AppFile,
  appConfig,
  isOfApp,
  type Offers,
  ONLY_READ,
  readApp,
  TO_APP,
} from '../../../clients/pages/app.ts';
import { APP_HEADERS } from '../../../clients/pages/headers.ts';
import { acceptsGzip } from '../../../shared/http/fitAnswer.ts';
import type { Pages } from './httpServer.ts';
import { madeBy } from './made.ts';

interface PackedFile extends AppFile {
  readonly packed: Buffer;
}

const packed = (file: AppFile): PackedFile => ({ ...file, packed: gzipSync(file.body, { level: 9 }) });

/** The files that a deployment serves from a bucket under these paths, made when one is asked for first. */
export function dashboard(offers: Offers): Pages {
  const config = packed(appConfig(offers));
  let builtFiles: Promise<ReadonlyMap<string, PackedFile>> | undefined;
  const files = () => {
    builtFiles ??= madeBy(APP_MADE_BY).then(
      (written) => new Map(readApp(written).map((file) => [file.path, packed(file)])),
    );
    // The next request tries anew.
    builtFiles.catch(() => (builtFiles = undefined));
    return builtFiles;
  };
  return async ({ method, path, headers }) => {
    if (!isOfApp(path)) return undefined;
    if (!['GET', 'HEAD'].includes(method)) return ONLY_READ;
    if (path === '/') return TO_APP;
    const takesGzip = acceptsGzip(String(headers['accept-encoding'] ?? ''));
    if (path === config.path) return answerWith(config, takesGzip);
    const file = (await files()).get(path.startsWith('/assets/') ? path : APP_PAGE);
    return file && answerWith(file, takesGzip);
  };
}

const answerWith = ({ type, cacheControl, body, packed }: PackedFile, takesGzip: boolean) => ({
  statusCode: 200,
  headers: {
    ...APP_HEADERS,
    'cache-control': cacheControl,
    'content-type': type,
    vary: 'accept-encoding',
    ...(takesGzip && { 'content-encoding': 'gzip' }),
  },
  body: (takesGzip ? packed : body).toString('base64'),
  isBase64Encoded: true,
});
