import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publicJwk } from '../../shared/vault/publicJwk.ts';

export interface TokenKey {
  /** The PEM file for TOKEN_KEY_FILES. */
  readonly file: string;
  readonly pem: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly kid: string;
}

/** RSA signing keys in a folder that the test removes. */
export function tokenKeys(count: number): { readonly folder: string; readonly keys: readonly TokenKey[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-token-keys-'));
  const keys = Array.from({ length: count }, (_, nth): TokenKey => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const file = path.join(folder, `${nth}.pem`);
    writeFileSync(file, pem);
    return { file, pem, privateKey, publicKey, kid: publicJwk(publicKey).kid };
  });
  return { folder, keys };
}

export const base64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const decoded = (token: string, part: 0 | 1): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());

/** A token with any header and payload and a valid RS256 signature. */
export function signedToken({ privateKey }: TokenKey, header: unknown, payload: unknown): string {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
}
