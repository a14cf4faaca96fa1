import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { invalidField, notFound } from '../../../shared/domain/errors.ts';
import { errorCode } from '../startupError.ts';
import { errorAnswer, sendOnSocket } from './answer.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'must not have more than 16 kB of request line and headers',
  HPE_INVALID_METHOD: 'must name an HTTP method',
  ERR_HTTP_REQUEST_TIMEOUT: 'did not arrive in time',
};

/** Answers malformed and late requests in the error envelope. */
export function handleConnectionErrors(server: Server): void {
  const unanswered = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request, response) => {
    unanswered.set(request.socket, response);
    response.once('close', () => {
      if (unanswered.get(request.socket) === response) unanswered.delete(request.socket);
    });
  });

  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    if (errorCode(error) === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const message = MESSAGES[errorCode(error) ?? ''] ?? 'must be valid HTTP';
    const refusal = errorAnswer(invalidField('request', message), randomUUID());
    const pending = unanswered.get(socket);
    // A good request in front of garbage is answered first. A request whose body broke off gets no answer.
    if (pending?.req.complete) pending.once('finish', () => sendOnSocket(socket, refusal));
    else if (pending?.headersSent) socket.destroy();
    else sendOnSocket(socket, refusal);
  });

  server.on('connect', (_request, stream) => {
    sendOnSocket(stream as Socket, errorAnswer(notFound('route'), randomUUID()));
  });
}
