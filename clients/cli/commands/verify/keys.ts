import { createPublicKey, type KeyObject } from 'node:crypto';
import { objectIn } from '../../../files/read/jsonText.ts';
import { Problem } from '../../problem.ts';

const PEM = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----/g;
const KEYS_MAX = 20;

/** The public keys of a file: the key set of the service, or PEM. */
export function keysIn(file: string, text: string): readonly KeyObject[] {
  const given = text.trimStart().startsWith('{') ? jwksIn(file, text) : (text.match(PEM) ?? []);
  if (given.length === 0) throw noKeys(file, 'it holds none');
  if (given.length > KEYS_MAX) throw noKeys(file, `it holds more than ${KEYS_MAX}`);
  return given.map((one) => publicKeyOf(file, one));
}

function jwksIn(file: string, text: string): readonly object[] {
  const read = objectIn(text);
  if (typeof read === 'string') throw noKeys(file, `it ${read}`);
  const { keys } = read.object;
  const isList = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
  if (!isList) throw noKeys(file, 'it has no list "keys"');
  return keys;
}

function publicKeyOf(file: string, given: string | object): KeyObject {
  const key = keyOf(given);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  throw noKeys(file, 'one of them is no public EC key of the curve P-256');
}

function keyOf(given: string | object): KeyObject | undefined {
  try {
    if (typeof given === 'string') return createPublicKey(given);
    // A private one does not belong beside a deployment.
    if ('d' in given) return undefined;
    return createPublicKey({ key: given as Readonly<Record<string, string>>, format: 'jwk' });
  } catch {
    return undefined;
  }
}

const noKeys = (file: string, why: string): Problem =>
  new Problem(
    `${file} is no file of keys: ${why}.`,
    'Keep /.well-known/statement-keys.json of the service, or the "pem" of one of its keys.',
  );
