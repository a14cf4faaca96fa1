import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { aCertificate } from '../../../support/certificate.ts';
import { temporaryFolder } from '../../../support/service.ts';
import { forwarder } from './forward.ts';

/**
 * The edge as a browser reaches it: by TLS and HTTP/2, under a certificate that the browser has to be made to take. Gives
 * its address. It ends with its process.
 */
export async function startForViewers(baseUrl: string): Promise<string> {
  const toEdge = forwarder();
  const server = createSecureServer({ ...aCertificate(temporaryFolder()), allowHTTP1: true });
  server.on('request', async (request, response) => {
    toEdge.forward(request, Buffer.concat(await request.toArray()), response, baseUrl);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
