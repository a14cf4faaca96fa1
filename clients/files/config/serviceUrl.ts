/** What never leaves the machine needs no encryption. A name below `localhost` is asked of a name server by some. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

interface Refused {
  readonly why: string;
  readonly hint: string;
}

export const isLoopback = (url: string): boolean => LOOPBACK.test(URL.parse(url)?.hostname ?? '');

/** The one way in which a service's URL is written, so that two can be compared; `from` says who gave it. */
export function serviceUrlOf(
  given: string,
  from: string,
  mayBeHttp: boolean,
): { readonly url: string } | Refused {
  const url = URL.parse(given);
  const isUrl = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '';
  if (!isUrl || url.username || url.password || url.search || url.hash || given.includes('\\')) {
    return {
      why: `The URL ${from} is none of a service.`,
      hint: 'It is such as https://gate.example.com',
    };
  }
  if (url.protocol === 'http:' && !isLoopback(url.href) && !mayBeHttp) {
    return {
      why: `The URL ${from} is http: everyone on the way to ${url.host} could read the credential.`,
      hint: `Use https://${url.host}`,
    };
  }
  return { url: url.href.replace(/(?<!\/)\/+$/, '') };
}
