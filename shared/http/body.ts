import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { CONTRACT_LIMITS } from '../contracts/common.ts';
import { invalidField } from '../domain/errors.ts';

/** A synchronous Lambda invocation takes 6 MB. */
const BODY_BYTES_MAX = 6 * 1_024 * 1_024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON value of the body, just as it was sent; 400 for anything that would not be kept as it was sent. */
export function readJsonBody(event: APIGatewayProxyEventV2): unknown {
  const contentType = event.headers['content-type'];
  if (contentType !== undefined && !/^application\/(json|[\w.-]+\+json) *(;|$)/i.test(contentType)) {
    throw invalidField('body', 'must be sent as Content-Type: application/json');
  }
  const text = readText(event);
  // One level more than a document may have: the body that holds it.
  if (depthOf(text) > CONTRACT_LIMITS.jsonDepth + 1) {
    throw invalidField('body', `must not nest deeper than ${CONTRACT_LIMITS.jsonDepth} levels`);
  }
  const value = parse(text);
  if (MAY_HOLD_LONE_SURROGATES.test(text) || MAY_OVERFLOW.test(text)) checkKept(value, []);
  return value;
}

/** The bytes of the body, just as they were sent. */
export const readRawBody = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

function readText({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (Buffer.byteLength(body) > BODY_BYTES_MAX * (isBase64Encoded ? 4 / 3 : 1)) {
    throw invalidField('body', 'must not be larger than 6 MB');
  }
  if (!isBase64Encoded) return body;
  try {
    return utf8.decode(Buffer.from(body, 'base64'));
  } catch {
    throw invalidField('body', 'must be UTF-8');
  }
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalidField('body', 'must be a JSON object, and is empty');
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? (MISTAKE.exec(error.message)?.[0] ?? '') : '';
    throw invalidField('body', `must be JSON: ${why.toWellFormed() || 'it cannot be parsed'}`);
  }
}

/** What V8 says is wrong, without the piece of the body that it quotes: that may be a secret. */
const MISTAKE = /^(Unexpected token '.'|Unexpected end of JSON input|[^"]* at position \d+[^"]*$)/su;

/** How deep arrays and objects nest, read without recursion: what is too deep to walk must not be parsed. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return deepest;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'"\\{}[]'].map(
  (character) => character.charCodeAt(0),
);

function endOfString(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index++;
  }
  return json.length;
}

const MAY_HOLD_LONE_SURROGATES = /\\u[dD][89a-fA-F]|[\ud800-\udfff]/;
/** 299 digits and an exponent of one digit still fit. */
const MAY_OVERFLOW = /[eE]\+?\d{2}|\d{300}/;

/** Half a character and a number beyond what JSON readers hold would come back as something else. */
function checkKept(value: unknown, path: readonly string[]): void {
  const at = path.join('.') || 'body';
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw invalidField(at, 'holds half of a Unicode surrogate pair');
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw invalidField(at, 'holds a number too large to keep');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    checkKept(name, path);
    checkKept(inner, [...path, name]);
  }
}
