import { createHash, timingSafeEqual } from 'node:crypto';
import { ProviderError } from './resources/providerError.ts';

/** Throws unless the header carries the secret key, as Bearer token or as the user of Basic authentication. */
export function authenticate(secretKey: string, authorization: string | undefined): void {
  if (authorization === undefined) {
    throw new ProviderError(
      401,
      "You did not provide an API key. Send it as 'Authorization: Bearer <secret key>'.",
    );
  }
  const [, scheme = '', credential = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const given = isBasic ? Buffer.from(credential, 'base64').toString().split(':')[0] : credential;
  if (!timingSafeEqual(sha256(given ?? ''), sha256(secretKey))) throw invalidKey();
}

export const invalidKey = (): ProviderError => new ProviderError(401, 'Invalid API Key provided.');

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
