import { VERSION } from '../generated/operations.ts';
import type { Sent } from './attempt.ts';
import type { Operation } from './operation.ts';
import type { Settings } from './settings.ts';

/** What is sent, apart from how. */
export interface Input {
  /** For the path's parameters, in order. */
  readonly names: readonly string[];
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/** Smaller bodies gain little. */
const GZIP_CHARACTERS_MIN = 65_536;

/** The request without its credential: all tries send the same. */
export async function requestOf(
  { url, environment }: Settings,
  { method, path, has }: Operation,
  { names, query = {}, body, idempotencyKey }: Input,
): Promise<Sent> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const isPacked = has('gzip') && text.length >= GZIP_CHARACTERS_MIN;
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given as [string, string][]);
  return {
    method,
    url: `${url}${pathOf(path, names)}?${search}`.replace(/\?$/, ''),
    headers: {
      accept: 'application/json',
      'user-agent': `evalgate-js/${VERSION}`,
      ...(text && { 'content-type': 'application/json' }),
      ...(isPacked && { 'content-encoding': 'gzip' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: isPacked ? await environment.gzip(text) : text || undefined,
  };
}

/** "." and ".." would name another path. */
function pathOf(path: string, names: readonly string[]): string {
  let index = 0;
  return path.replaceAll(':', () => {
    const name = names[index++] ?? '';
    if (/^\.{0,2}$/.test(name)) throw new TypeError(`${path}: no name`);
    return encodeURIComponent(name);
  });
}
