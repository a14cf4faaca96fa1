interface Failure {
  readonly message: string;
  readonly cause?: unknown;
}

/** A plain port answers what is no TLS, or hangs up. */
const NO_HTTPS = /wrong.version.number|packet.length.too.long|before secure TLS/i;

/** What Node, OpenSSL and zlib say of a connection or an answer that was lost, as people read it. */
export function lostSentence(error: Failure): string {
  const [, host] = /^The connection to (\S+) failed: /.exec(error.message) ?? [];
  if (host === undefined) return error.message;
  const { code = '', message = '' } = deepest(error);
  if (NO_HTTPS.test(`${code} ${message}`))
    return `The connection to ${host} failed: it does not seem to speak https.`;
  if (code === 'Z_BUF_ERROR') return `The answer of ${host} was cut off.`;
  if (`${code}`.startsWith('Z_'))
    return `The answer of ${host} could not be read: its Content-Encoding does not fit its bytes.`;
  if (`${message}`.startsWith('its Content-Encoding'))
    return `The answer of ${host} could not be read: ${message}.`;
  // OpenSSL names files of its own source: its code says as much.
  return error.message.replace(/: (?:write EPROTO )?[0-9A-F]{8,}:error:.*$/s, `: ${String(code || 'TLS')}.`);
}

/** The first of the causes. */
export const deepest = (error: unknown): { readonly code?: unknown; readonly message?: unknown } => {
  const { cause } = error as { cause?: unknown };
  return typeof cause === 'object' && cause !== null ? deepest(cause) : (error as object);
};
