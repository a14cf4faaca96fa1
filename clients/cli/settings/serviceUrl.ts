import { type Io, variable } from '../io.ts';
import { Problem } from '../problem.ts';

/** What never leaves the machine needs no encryption. */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The one way in which a service's URL is written, so that two can be compared. */
export function serviceUrl(io: Pick<Io, 'env'>, given: string, from: string): string {
  const url = URL.parse(given);
  const isUrl = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '';
  if (!isUrl || url.username || url.password || url.search || url.hash || given.includes('\\')) {
    throw new Problem(`The URL ${from} is none of a service.`, 'Such as https://gate.example.com');
  }
  const isSafe = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
  if (!isSafe && variable(io, 'EVALGATE_ALLOW_HTTP') !== '1') {
    throw new Problem(
      `The URL ${from} is http: whoever is on the way to ${url.host} could read the credential.`,
      `Use https://${url.host}, or set EVALGATE_ALLOW_HTTP=1 for a network that you trust.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}
