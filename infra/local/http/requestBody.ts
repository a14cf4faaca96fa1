import type { IncomingMessage } from 'node:http';
import { tooLargeFor } from '../../../shared/contracts/base/bodyLimits.ts';
import { invalidField } from '../../../shared/domain/errors.ts';

export class BodyAbortedError extends Error {}

/** Drops what is too long, for clients that read only after sending. A timeout ends endless bodies. */
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
