import { type KeyObject, verify } from 'node:crypto';
import { preAuthEncoding, STATEMENT_FORM } from '../../../../shared/contracts/base/statementForm.ts';
import { objectIn } from '../../../files/read/jsonText.ts';
import { isRecord } from '../../../files/read/parts.ts';
import { Problem } from '../../problem.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a statement says, after its signature was verified. Unknown fields are ignored, as in-toto demands. */
export interface Signed {
  readonly verifier: string;
  /** The one policy: `<project>/<suite>`, and the digest of its bar. */
  readonly policy: { readonly name: string; readonly sha256: string };
  /** What the job was started for. Empty where its event does not prove it. */
  readonly commits: readonly { readonly repository: string; readonly sha: string }[];
  readonly outputs: string;
  readonly timeCreated: string;
  readonly receivedAt: string;
  readonly barInForceSince: string;
  readonly runId: string;
  readonly job: Fields;
  readonly predicate: Fields;
}

const SIGNATURES_MAX = 16;

/** Throws where it is not authentic or malformed: nothing of it is believed then. */
export function readStatement(text: string, keys: readonly KeyObject[]): Signed {
  const bundle = objectOf(text, 'it');
  if (bundle.mediaType !== STATEMENT_FORM.mediaType) throw malformed('its mediaType is another one');
  const envelope = recordIn(bundle, 'dsseEnvelope');
  if (envelope.payloadType !== STATEMENT_FORM.payloadType) throw malformed('its payloadType is another one');
  const payload = bytesOf(envelope.payload, 'payload');
  requireSignature(envelope.signatures, preAuthEncoding(payload), keys);
  return claimsOf(textOf(payload));
}

/** One of the signatures has to be by one of the keys. What a signature names as its key is a hint, and not signed. */
function requireSignature(signatures: unknown, signed: Uint8Array, keys: readonly KeyObject[]): void {
  if (!Array.isArray(signatures) || signatures.length === 0 || signatures.length > SIGNATURES_MAX)
    throw malformed(`it has not 1 to ${SIGNATURES_MAX} signatures`);
  const all = signatures.map((entry) => bytesOf(isRecord(entry) ? entry.sig : undefined, 'signature'));
  if (keys.some((key) => all.some((signature) => verify('sha256', signed, key, signature)))) return;
  throw new Problem(
    'The statement is not authentic: no signature of it is by one of the keys.',
    'Is it of this service, and are these its keys?',
  );
}

function claimsOf(text: string): Signed {
  const statement = objectOf(text, 'its payload');
  if (statement._type !== STATEMENT_FORM.type) throw malformed('its _type is another one');
  if (statement.predicateType !== STATEMENT_FORM.predicateType)
    throw malformed('its predicateType is another one');
  const predicate = recordIn(statement, 'predicate');
  const { properties, timeCreated } = predicate;
  if (!Array.isArray(properties) || !properties.includes(STATEMENT_FORM.property))
    throw malformed(`its properties lack ${STATEMENT_FORM.property}`);
  const verifier = recordIn(predicate, 'verifier');
  const details = recordIn(predicate, 'evalgate');
  const subjects = recordsIn(statement, 'subject').map((subject) => ({
    name: subject.name,
    digest: recordIn(subject, 'digest'),
  }));
  const [policy, ...others] = recordsIn(verifier, 'policies');
  if (policy === undefined || others.length > 0) throw malformed('it has not one policy');
  const outputs = subjects.find(({ name }) => name === 'outputs');
  return {
    verifier: stringIn(verifier, 'id'),
    policy: { name: stringIn(policy, 'name'), sha256: stringIn(recordIn(policy, 'digest'), 'sha256') },
    commits: subjects.flatMap(commitIn),
    outputs: stringIn(outputs?.digest ?? {}, 'sha256'),
    timeCreated: timeIn({ timeCreated }, 'timeCreated'),
    receivedAt: timeIn(details, 'receivedAt'),
    barInForceSince: timeIn(details, 'barInForceSince'),
    runId: stringIn(details, 'runId'),
    job: isRecord(details.job) ? details.job : {},
    predicate,
  };
}

interface Subject {
  readonly name: unknown;
  readonly digest: Fields;
}

/** `git+https://…` and the commit. */
function commitIn({ name, digest: { gitCommit } }: Subject): Signed['commits'] {
  const [, repository] = /^git\+(.+)$/.exec(typeof name === 'string' ? name : '') ?? [];
  return typeof gitCommit === 'string' && repository !== undefined ? [{ repository, sha: gitCommit }] : [];
}

function objectOf(text: string, what: string): Fields {
  const read = objectIn(text);
  if (typeof read === 'string') throw malformed(`${what} ${read}`);
  return read.object;
}

function bytesOf(value: unknown, what: string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  if (bytes === undefined || bytes.length === 0 || bytes.toString('base64') !== value)
    throw malformed(`its ${what} is no canonical base64`);
  return bytes;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('its payload is no UTF-8');
  }
}

function recordIn(fields: Fields, name: string): Fields {
  const value = fields[name];
  if (isRecord(value)) return value;
  throw malformed(`it has no object "${name}"`);
}

function recordsIn(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) return value;
  throw malformed(`it has no list "${name}"`);
}

function stringIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw malformed(`it has no text "${name}"`);
}

function timeIn(fields: Fields, name: string): string {
  const value = stringIn(fields, name);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value)))
    return value;
  throw malformed(`its "${name}" is no time`);
}

const malformed = (why: string): Problem => new Problem(`The file is no statement of a cleared run: ${why}.`);
