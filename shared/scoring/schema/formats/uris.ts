import { isIpv6 } from './hosts.ts';

/** RFC 3986, appendix B: each part ends where a character begins the next, so nothing is tried twice. */
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

const NOT_PATH = /%(?![0-9a-f]{2})|[^%\w\-.~!$&'()*+,;=:@/]/i;
const NOT_QUERY = /%(?![0-9a-f]{2})|[^%\w\-.~!$&'()*+,;=:@/?]/i;
const NOT_USER = /%(?![0-9a-f]{2})|[^%\w\-.~!$&'()*+,;=:]/i;
const NOT_NAME = /%(?![0-9a-f]{2})|[^%\w\-.~!$&'()*+,;=]/i;

export function isUri(text: string): boolean {
  return isReference(text, true);
}

export function isUriReference(text: string): boolean {
  return isReference(text, false);
}

function isReference(text: string, needsScheme: boolean): boolean {
  const [, scheme, authority, path = '', query = '', fragment = ''] = PARTS.exec(text) ?? [];
  if (scheme === undefined ? needsScheme : !/^[a-z][a-z0-9+\-.]*$/i.test(scheme)) return false;
  if (NOT_PATH.test(path) || NOT_QUERY.test(query) || NOT_QUERY.test(fragment)) return false;
  if (authority !== undefined) return isAuthority(authority);
  // A colon in the first step would end a scheme.
  return scheme !== undefined || !path.split('/', 1)[0]?.includes(':');
}

function isAuthority(authority: string): boolean {
  const separator = authority.lastIndexOf('@');
  const [user, address] = [authority.slice(0, Math.max(separator, 0)), authority.slice(separator + 1)];
  if (NOT_USER.test(user)) return false;
  const end = address.startsWith('[') ? address.indexOf(']') + 1 : address.search(/:|$/);
  const [host, port] = [address.slice(0, end), address.slice(end)];
  return (
    /^(?::\d*)?$/.test(port) && (host.startsWith('[') ? isLiteral(host.slice(1, -1)) : !NOT_NAME.test(host))
  );
}

function isLiteral(address: string): boolean {
  return isIpv6(address) || (/^v[0-9a-f]+\../i.test(address) && !NOT_USER.test(address));
}

/** RFC 6570; by its erratum 6937 an apostrophe is a literal. */
export function isUriTemplate(text: string): boolean {
  for (const [part] of text.matchAll(/\{[^{}]*\}|[^{}]+|[{}]/g)) {
    const isRight = part.startsWith('{') ? EXPRESSION.test(part) : !NOT_LITERAL.test(part);
    if (!isRight) return false;
  }
  return true;
}

const NOT_LITERAL = /%(?![0-9a-f]{2})|[\x00-\x20"<>\\^`|}\x7f]/i;
const VARIABLE = String.raw`(?:\w|%[0-9a-f]{2})(?:\.?(?:\w|%[0-9a-f]{2}))*(?::[1-9]\d{0,3}|\*)?`;
export const EXPRESSION = new RegExp(String.raw`^\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\}$`, 'i');

const URL_PARTS = /^(?:https?|ftp):\/\/([^/?#\s]*)(?:\/\S*)?$/i;
const HOST_LENGTH_MAX = 300;
const PUBLIC_HOST =
  /^(?:(?!(?:10|127)(?:\.\d{1,3}){3})(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))|(?:[a-z0-9\u{a1}-\u{ffff}]+(?:-+[a-z0-9\u{a1}-\u{ffff}]+)*\.)+[a-z\u{a1}-\u{ffff}]{2,})(?::\d{2,5})?$/iu;

/** A name of ajv's: an address on the public internet. */
export function isUrl(text: string): boolean {
  const authority = URL_PARTS.exec(text)?.[1];
  if (authority === undefined) return false;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length <= HOST_LENGTH_MAX && PUBLIC_HOST.test(host);
}
