import type { Example } from '../examples/example.ts';
import { quoted, word } from './shell.ts';
import type { CodeSample } from './types.ts';

/** What `POST /v1/run` takes, as examples of it are written. */
interface RunBody {
  readonly suite: string;
  readonly project?: string;
  readonly output?: string;
  readonly outputs?: readonly object[];
  readonly trigger_meta?: Readonly<Record<string, string>>;
  readonly async?: boolean;
}

/** The run of an example by the package of the clients. None for another operation, or for a request that is refused. */
export function clientSamplesOf({ id, title, status, body, headers, isOfHttp }: Example): CodeSample[] {
  if (id !== 'runs/create' || status >= 300 || isOfHttp) return [];
  const key = headers?.['Idempotency-Key'];
  return [
    { lang: 'typescript', label: `SDK: ${title}`, source: sdkSource(body as RunBody, key) },
    { lang: 'shell', label: `Command line: ${title}`, source: commandSource(body as RunBody, key) },
  ];
}

/** The client waits for the verdict. */
function sdkSource(body: RunBody, idempotencyKey: string | undefined): string {
  const call = body.async ? 'runs.create' : 'run';
  const taken = [body, ...(idempotencyKey === undefined ? [] : [{ idempotencyKey }])];
  return `import { Evalgate } from 'evalgate';

const gate = new Evalgate(); // EVALGATE_URL and EVALGATE_API_KEY
const run = await gate.${call}(${taken.map((one) => literal(one)).join(', ')});
console.log(run.id, run.status);`;
}

/** JSON, with the names of fields as TypeScript has them. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quotedText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${name}: ${literal(item, inner)}`);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

const quotedText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The outputs come from stdin: a program that answers can stand before the command. */
function commandSource(body: RunBody, idempotencyKey: string | undefined): string {
  const { suite, project, output, outputs, trigger_meta = {}, async } = body;
  const options = [
    ...(project === undefined ? [] : [`--project ${word(project)}`]),
    ...Object.entries(trigger_meta).map(([name, value]) => `--meta ${word(`${name}=${value}`)}`),
    ...(idempotencyKey === undefined ? [] : [`--idempotency-key ${word(idempotencyKey)}`]),
    ...(async ? ['--async'] : []),
  ];
  const command = (source: string): string => ['evalgate run', word(suite), source, ...options].join(' ');
  if (outputs === undefined) return `printf %s ${quoted(output ?? '')} |\n  ${command('--output -')}`;
  const lines = outputs.map((one) => JSON.stringify(one));
  return [`${command('--outputs -')} <<'JSONL'`, ...lines, 'JSONL'].join('\n');
}
