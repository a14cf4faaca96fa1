import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { respondToError } from '../../../shared/http/respond.ts';
import { createLog } from '../../../shared/runtime/log.ts';

const log = createLog('error');

/** The server's own error answer: the handlers' envelope, without details of internal errors. */
export function errorAnswer(error: unknown, requestId: string): APIGatewayProxyStructuredResultV2 {
  return respondToError(error, { log, requestId });
}

export function send(response: ServerResponse, answer: APIGatewayProxyStructuredResultV2): void {
  const { statusCode, headers = {}, cookies, body, isBase64Encoded } = answer;
  if (typeof statusCode !== 'number') throw new Error('A handler answered without a status code.');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
  if (cookies !== undefined) response.setHeader('set-cookie', cookies);
  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
  if (bytes.length > 0) response.setHeader('content-length', bytes.length);
  response.writeHead(statusCode).end(bytes);
}

/** Answers on the connection itself where no request could be parsed, and closes it. */
export function sendOnSocket(socket: Socket, answer: APIGatewayProxyStructuredResultV2): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { statusCode = 500, headers = {}, body = '' } = answer;
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
