const HOSTNAME_LENGTH_MAX = 253;
/** RFC 5321, section 4.5.3.1. */
const EMAIL_LENGTH_MAX = 254;
const LOCAL_PART_LENGTH_MAX = 64;
const IPV6_LENGTH_MAX = 45;

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** RFC 1123, section 2.1. Punycode is not decoded. */
export function isHostname(text: string): boolean {
  return text.length <= HOSTNAME_LENGTH_MAX && text.split('.').every((label) => LABEL.test(label));
}

export function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** RFC 4291, section 2.2. */
export function isIpv6(text: string): boolean {
  if (text.length > IPV6_LENGTH_MAX) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const [head = '', tail] = halves;
  const groups = [...groupsOf(head, tail === undefined), ...groupsOf(tail ?? '', true)];
  if (groups.includes('')) return false;
  const count = groups.reduce((sum, group) => sum + (group.includes('.') ? 2 : 1), 0);
  return tail === undefined ? count === 8 : count <= 7;
}

/** An empty text has no groups. */
function groupsOf(half: string, mayEndInIpv4: boolean): string[] {
  if (half === '') return [];
  const groups = half.split(':');
  return groups.map((group, index) => {
    if (/^[0-9a-f]{1,4}$/i.test(group)) return group;
    return mayEndInIpv4 && index === groups.length - 1 && isIpv4(group) ? group : '';
  });
}

const ATOMS = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const QUOTED = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;

/** RFC 5321, section 4.1.2; a domain of one label, which only a private network has, is refused. */
export function isEmail(text: string): boolean {
  const separator = text.lastIndexOf('@');
  if (text.length > EMAIL_LENGTH_MAX || separator < 1 || separator > LOCAL_PART_LENGTH_MAX) return false;
  const [local, domain] = [text.slice(0, separator), text.slice(separator + 1)];
  return (ATOMS.test(local) || QUOTED.test(local)) && isMailDomain(domain);
}

function isMailDomain(domain: string): boolean {
  if (!domain.startsWith('['))
    return domain.includes('.') && domain.split('.').every((label) => LABEL.test(label));
  if (!domain.endsWith(']')) return false;
  const address = domain.slice(1, -1);
  return /^IPv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
}
