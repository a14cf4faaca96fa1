import { isIP } from 'node:net';
import { isLoopbackAddress, type Reach } from './address.ts';

export const ALLOWLIST_ENTRY = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/;

const MICROSOFT_ENDPOINT =
  /^https:\/\/(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.(?:openai\.azure\.com|cognitiveservices\.azure\.com|services\.ai\.azure\.com)\/?$/i;

/** Scheme, host and port as they are written, before a URL parser normalises them. */
const PLAIN_ENDPOINT = /^https?:\/\/((?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?)\/?$/i;

const DEPLOYMENT_NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

export type AzureDeployment =
  | { readonly kind: 'deployment'; readonly endpoint: string; readonly name: string; readonly reach: Reach }
  | {
      readonly kind: 'refused';
      readonly code: 'MODEL_NOT_CONFIGURED' | 'ENDPOINT_NOT_ALLOWED';
      readonly why: string;
    };

/** Reads `<endpoint_url>|<deployment_name>`, and decides which addresses the endpoint may have, if any. */
export function readDeployment(model: string, allowlist: readonly string[]): AzureDeployment {
  const separator = model.indexOf('|');
  const name = model.slice(separator + 1).trim();
  if (separator < 0 || !DEPLOYMENT_NAME.test(name)) {
    return notCallable(
      'MODEL_NOT_CONFIGURED',
      'the model of an Azure judge has the form <endpoint_url>|<deployment_name>, e.g. ' +
        'https://<resource>.openai.azure.com|<deployment_name>; the name holds letters, digits, ".", "_" and "-"',
    );
  }
  const endpoint = model.slice(0, separator).trim();
  if (MICROSOFT_ENDPOINT.test(endpoint)) {
    return { kind: 'deployment', endpoint: new URL(endpoint).origin, name, reach: 'public' };
  }
  const listed = readListed(endpoint, allowlist);
  if (listed !== undefined) return { kind: 'deployment', ...listed, name };
  return notCallable(
    'ENDPOINT_NOT_ALLOWED',
    'the endpoint must be https://<resource>.openai.azure.com, .cognitiveservices.azure.com or ' +
      '.services.ai.azure.com, without user, port, path or query; who runs the service can allow others in JUDGE_ENDPOINT_ALLOWLIST',
  );
}

function readListed(
  endpoint: string,
  allowlist: readonly string[],
): { endpoint: string; reach: Reach } | undefined {
  const written = PLAIN_ENDPOINT.exec(endpoint)?.[1]?.toLowerCase();
  if (written === undefined || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const port = url.port || DEFAULT_PORTS[url.protocol];
  const canonical = [url.host, `${url.hostname}:${port}`];
  // Other spellings of an address, such as 0x7f.1, are not the host that the list names.
  if (!canonical.includes(written) || !allowlist.includes(`${url.hostname}:${port}`)) return undefined;
  if (url.protocol === 'https:') return { endpoint: url.origin, reach: 'any' };
  return mayBeLoopback(url.hostname) ? { endpoint: url.origin, reach: 'loopback' } : undefined;
}

/** The address is checked again when the name is resolved. */
function mayBeLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? address === 'localhost' : isLoopbackAddress(address);
}

function notCallable(code: 'MODEL_NOT_CONFIGURED' | 'ENDPOINT_NOT_ALLOWED', why: string): AzureDeployment {
  return { kind: 'refused', code, why };
}
