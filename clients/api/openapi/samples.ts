import type { Contract } from '../../../shared/contracts/base/contract.ts';
import type { Example } from '../examples/example.ts';
import { takesCredential } from './contractParts.ts';
import { quoted } from './shell.ts';
import type { CodeSample } from './types.ts';

const ONE_LINE_MAX = 80;

const json = (body: unknown): string => {
  const line = JSON.stringify(body);
  return line.length <= ONE_LINE_MAX ? line : JSON.stringify(body, null, 2);
};

export function requestPath({ path }: Pick<Contract, 'path'>, { params = {}, query = {} }: Example): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** A command for a shell whose environment names the service and a key. */
export function curlOf(contract: Contract, example: Example): CodeSample {
  const { method } = contract;
  const { body, headers = {} } = example;
  const implied = body === undefined ? 'GET' : 'POST';
  const words = [
    `curl -sS${method === implied ? '' : ` -X ${method}`} "$EVALGATE_URL"${quoted(requestPath(contract, example))}`,
    ...(takesCredential(contract) ? ['-H "authorization: Bearer $EVALGATE_API_KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(json(body))}`]),
  ];
  return { lang: 'shell', label: `curl: ${example.title}`, source: words.join(' \\\n  ') };
}
