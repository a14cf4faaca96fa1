import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { statementJwk } from '../../shared/vault/publicJwk.ts';

export interface StatementKey {
  /** The PEM file for STATEMENT_KEY_FILES. */
  readonly file: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly kid: string;
  /** Of the public key. */
  readonly pem: string;
}

/** Keys of the curve P-256 in a folder that the test removes. */
export function statementKeyFiles(count: number): {
  readonly folder: string;
  readonly keys: readonly StatementKey[];
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-statement-keys-'));
  const keys = Array.from({ length: count }, (_, nth): StatementKey => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const file = path.join(folder, `${nth}.pem`);
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return { file, publicKey, privateKey, ...statementJwk(publicKey) };
  });
  return { folder, keys };
}
