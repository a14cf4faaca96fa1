import { createCipheriv, createDecipheriv, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type KeySpec, keyPairs } from './kmsKeyPairs.ts';
import { listening } from './listening.ts';

type Context = Readonly<Record<string, string>>;

interface KmsCall {
  readonly operation: string;
  readonly keyId: string | undefined;
  readonly context: Context;
  /** The request's AWS signature. */
  readonly authorization: string;
  readonly contentType: string;
}

interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

export interface KmsStandIn {
  readonly endpoint: string;
  readonly calls: KmsCall[];
  /** The answers of the next calls, one each. */
  readonly failures: Failure[];
  /** Adds a signing key and returns its public part. */
  addKeyPair(id: string, spec?: KeySpec): KeyObject;
  stop(): Promise<void>;
}

interface Input {
  readonly KeyId?: string;
  readonly Plaintext?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Context;
}

const PLAINTEXT_BYTES_MAX = 4_096;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const refusal = (type: string, message = ''): Failure => ({ status: 400, type, message });
const isFailure = (answer: object): answer is Failure => 'status' in answer;

/** KMS ignores the order of the pairs. */
const aadOf = (context: Context, keyId: string): Buffer =>
  Buffer.from(JSON.stringify([keyId, Object.entries(context).sort()]));

/** Simulates KMS: JSON 1.1 over HTTP, symmetric keys of the given ids, authenticated encryption contexts. */
export async function startKms(...keyIds: readonly string[]): Promise<KmsStandIn> {
  const masters = new Map(keyIds.map((id) => [id, randomBytes(32)]));
  const calls: KmsCall[] = [];
  const failures: Failure[] = [];
  const pairs = keyPairs();

  function encrypt({ KeyId = '', Plaintext = '', EncryptionContext = {} }: Input): object {
    const master = masters.get(KeyId);
    if (master === undefined) return refusal('NotFoundException', `Key ${KeyId} does not exist`);
    const plaintext = Buffer.from(Plaintext, 'base64');
    if (plaintext.length === 0 || plaintext.length > PLAINTEXT_BYTES_MAX)
      return refusal('ValidationException');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(aadOf(EncryptionContext, KeyId));
    const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const keyIndex = Buffer.of(keyIds.indexOf(KeyId));
    const blob = Buffer.concat([keyIndex, nonce, cipher.getAuthTag(), text]).toString('base64');
    return { CiphertextBlob: blob, KeyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  }

  function decrypt({ KeyId, CiphertextBlob = '', EncryptionContext = {} }: Input): object {
    const blob = Buffer.from(CiphertextBlob, 'base64');
    const madeWith = keyIds[blob[0] ?? -1];
    const master = madeWith === undefined ? undefined : masters.get(madeWith);
    if (madeWith === undefined || master === undefined) return refusal('InvalidCiphertextException');
    if (KeyId !== undefined && KeyId !== madeWith) return refusal('IncorrectKeyException');
    const [nonceAt, tagAt, textAt] = [1, 1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES];
    try {
      const decipher = createDecipheriv('aes-256-gcm', master, blob.subarray(nonceAt, tagAt))
        .setAAD(aadOf(EncryptionContext, madeWith))
        .setAuthTag(blob.subarray(tagAt, textAt));
      const plaintext = Buffer.concat([decipher.update(blob.subarray(textAt)), decipher.final()]);
      return { Plaintext: plaintext.toString('base64'), KeyId: madeWith };
    } catch {
      return refusal('InvalidCiphertextException');
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const input: Input = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const operation = String(request.headers['x-amz-target']).replace(/^TrentService\./, '');
    calls.push({
      operation,
      keyId: input.KeyId,
      context: input.EncryptionContext ?? {},
      authorization: String(request.headers.authorization),
      contentType: String(request.headers['content-type']),
    });
    const perform = {
      Encrypt: encrypt,
      Decrypt: decrypt,
      GetPublicKey: pairs.getPublicKey,
      Sign: pairs.sign,
    }[operation];
    const answer = failures.shift() ?? perform?.(input) ?? refusal('ValidationException');
    response.writeHead(isFailure(answer) ? answer.status : 200, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': randomUUID(),
    });
    response.end(
      JSON.stringify(isFailure(answer) ? { __type: answer.type, message: answer.message } : answer),
    );
  }

  const server = createServer((request, response) => void serve(request, response));
  const { url: endpoint, stop } = await listening(server);
  return {
    endpoint,
    calls,
    failures,
    addKeyPair: pairs.add,
    stop,
  };
}
