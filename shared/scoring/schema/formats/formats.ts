import { schemaRegExp } from '../patterns.ts';
import { isEmail, isHostname, isIpv4, isIpv6 } from './hosts.ts';
import { isDate, isDateTime, isDuration, isIsoDateTime, isIsoTime, isTime } from './times.ts';
import { isUri, isUriReference, isUriTemplate, isUrl } from './uris.ts';

/** Each takes time in proportion to the length of the text, because outputs are untrusted. */
export type Format =
  | { readonly type: 'string'; validate(value: string): boolean }
  | { readonly type: 'number'; validate(value: number): boolean };

/** No deadline interrupts V8 while it parses a pattern. */
const REGEX_LENGTH_MAX = 4_096;

/** The formats of the drafts by their RFCs, and those that OpenAPI and ajv add. */
export const FORMATS: { readonly [name: string]: Format } = {
  date: text(isDate),
  time: text(isTime),
  'date-time': text(isDateTime),
  'iso-time': text(isIsoTime),
  'iso-date-time': text(isIsoDateTime),
  duration: text(isDuration),
  uri: text(isUri),
  'uri-reference': text(isUriReference),
  'uri-template': text(isUriTemplate),
  url: text(isUrl),
  email: text(isEmail),
  hostname: text(isHostname),
  ipv4: text(isIpv4),
  ipv6: text(isIpv6),
  regex: text(isRegex),
  uuid: text((value) => UUID.test(value)),
  'json-pointer': text(isJsonPointer),
  'json-pointer-uri-fragment': text(isPointerFragment),
  'relative-json-pointer': text(isRelativePointer),
  byte: text(isBase64),
  int32: number((value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31),
  int64: number((value) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63),
  float: number(() => true),
  double: number(() => true),
  password: text(() => true),
  binary: text(() => true),
};

export const KNOWN_FORMATS: ReadonlySet<string> = new Set(Object.keys(FORMATS));

function text(validate: (value: string) => boolean): Format {
  return { type: 'string', validate };
}

function number(validate: (value: number) => boolean): Format {
  return { type: 'number', validate };
}

/** RFC 4122; `urn:uuid:` is the URN of one. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** ECMA-262 has no anchor `\Z`, though without Unicode it is read as a letter. */
const Z_ANCHOR = /(?<!\\)(?:\\\\)*\\Z/;

function isRegex(value: string): boolean {
  if (value.length > REGEX_LENGTH_MAX || Z_ANCHOR.test(value)) return false;
  try {
    schemaRegExp(value, REGEX_LENGTH_MAX);
    return true;
  } catch {
    return false;
  }
}

/** RFC 6901. */
function isJsonPointer(value: string): boolean {
  return (value === '' || value.startsWith('/')) && !/~(?![01])/.test(value);
}

function isPointerFragment(value: string): boolean {
  return (
    value.startsWith('#') &&
    isJsonPointer(value.slice(1)) &&
    !/%(?![0-9a-f]{2})|[^%\w\-.~!$&'()*+,;=:@/?]/i.test(value.slice(1))
  );
}

function isRelativePointer(value: string): boolean {
  const [up] = /^(?:0|[1-9]\d*)/.exec(value) ?? [];
  if (up === undefined) return false;
  const rest = value.slice(up.length);
  return rest === '#' || isJsonPointer(rest);
}

/** RFC 4648. */
function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}
