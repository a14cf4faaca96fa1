const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHORT = /^=[\w-]{22}$/;

/** A UUID in 23 characters; another name, which never starts with `=`, as it is. */
export function shortenName(name: string): string {
  return UUID.test(name) ? `=${Buffer.from(name.replaceAll('-', ''), 'hex').toString('base64url')}` : name;
}

export function restoreName(short: string): string {
  if (!SHORT.test(short)) return short;
  const hex = Buffer.from(short.slice(1), 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
