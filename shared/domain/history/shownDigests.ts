import { createHmac } from 'node:crypto';
import { covers, type Scope } from '../../contracts/base/scopes.ts';
import { asSha256, documentDigest } from '../../scoring/digest/documents.ts';

const SHOWN_DIGITS = 16;

/** How a credential sees what cases and scorers are made of. */
export interface Shows {
  /** `digest`: 64 hexadecimal digits. */
  digest(digest: string): string;
  config(config: unknown): unknown;
}

/**
 * A pull request, with the scope `run`, learns that something differs, but cannot test guesses at what it is: the digest of
 * a short text would tell.
 */
export async function showsTo(scope: Scope, readSalt: () => Promise<string>): Promise<Shows> {
  if (covers(scope, 'read')) return { digest: asSha256, config: (config) => config };
  const salt = Buffer.from(await readSalt(), 'hex');
  const digest = (text: string): string =>
    createHmac('sha256', salt).update(text).digest('hex').slice(0, SHOWN_DIGITS);
  return { digest, config: (config) => digest(documentDigest(config)) };
}
