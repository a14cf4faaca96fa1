import type { IncomingMessage } from 'node:http';
import { tooLargeFor } from '../../../shared/contracts/base/bodyLimits.ts';
import { invalidField } from '../../../shared/domain/errors.ts';

export class BodyAbortedError extends Error {}

/**
 * Collects a body of at most `maxBytes`. Reads and drops the rest of a longer one, so that a client that reads only
 * after sending gets its answer. The server's request timeout ends an endless body.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = (): void => {
      request.off('data', collect);
      request.resume();
      reject(invalidField('body', tooLargeFor(maxBytes)));
    };
    const collect = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) refuse();
      else chunks.push(chunk);
    };
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', () => reject(new BodyAbortedError()));
    request.once('close', () => reject(new BodyAbortedError()));
    if (Number(request.headers['content-length']) > maxBytes) refuse();
    else request.on('data', collect);
  });
}
