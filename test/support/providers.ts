import { createServer, type IncomingMessage } from 'node:http';
import {
  type Answer,
  failure,
  modelList,
  type ProviderCall,
  type ProviderName,
  verdict,
} from '../shared/judge/answers.ts';
import { listening } from './listening.ts';

export * from '../shared/judge/answers.ts';

export interface Providers {
  readonly url: string;
  /** The service's variables for the simulated providers. */
  readonly env: Record<string, string>;
  /** All calls, in order. */
  readonly calls: ProviderCall[];
  /** Concurrent judge calls, now and at most. */
  readonly inFlight: { now: number; max: number };
  azureModel(deployment?: string): string;
  /** Sets the answers of the next judge calls to this provider, one each. */
  next(provider: ProviderName, ...answers: Answer[]): void;
  /** Sets the answer of all other calls of the kind to this provider, or to all providers. */
  always(provider: ProviderName | 'all', answer: Answer, operation?: ProviderCall['operation']): void;
  /** Clears the calls and answers verdicts of 1 again. */
  reset(): void;
  stop(): Promise<void>;
}

const ALL: readonly ProviderName[] = ['openai', 'anthropic', 'google', 'azure_openai'];

const DEFAULT_ANSWERS = { judge: verdict(), list_models: modelList };

/** What the holder of a key gets, whatever other tests set: for files that share a service. */
export const KEY_THAT_IS_REFUSED = 'sk-that-is-refused-0123456789';
export const KEY_OF_A_PROVIDER_THAT_IS_DOWN = 'sk-of-a-provider-that-is-down';
export const KEY_OF_A_STRICT_JUDGE = 'sk-of-a-strict-judge-0123456789';
/** What it says of each output. It is longer than what a row of a table shows. */
export const STRICT_REASONING = `It names 14 days, and the policy says 30. ${'Each customer would read it as a promise. '.repeat(6)}So it fails.`;
const BY_KEY: Readonly<Record<string, Answer>> = {
  [KEY_THAT_IS_REFUSED]: failure(401),
  [KEY_OF_A_STRICT_JUDGE]: verdict({ score: 0.2, reasoning: STRICT_REASONING }),
  [KEY_OF_A_PROVIDER_THAT_IS_DOWN]: failure(503, { headers: { 'retry-after': '0' } }),
};

const PATHS: [ProviderName, ProviderCall['operation'], RegExp][] = [
  ['openai', 'judge', /^\/openai-api\/v1\/chat\/completions$/],
  ['openai', 'list_models', /^\/openai-api\/v1\/models$/],
  ['google', 'judge', /^\/google\/v1beta\/openai\/chat\/completions$/],
  ['google', 'list_models', /^\/google\/v1beta\/openai\/models$/],
  ['anthropic', 'judge', /^\/anthropic\/v1\/messages$/],
  ['anthropic', 'list_models', /^\/anthropic\/v1\/models$/],
  ['azure_openai', 'judge', /^\/openai\/deployments\/([^/]+)\/chat\/completions$/],
  ['azure_openai', 'list_models', /^\/openai\/models$/],
];

/** Simulates the four model providers, each in its own wire format, behind one HTTP server. */
export async function startProviders(): Promise<Providers> {
  const queued = new Map<string, Answer[]>();
  const standing = new Map<string, Answer>();
  const calls: ProviderCall[] = [];
  const inFlight = { now: 0, max: 0 };
  const server = createServer((request, response) => {
    const answering = receive(request).then(async (call) => {
      if (call === undefined) return void response.writeHead(404).end();
      calls.push(call);
      if (call.operation === 'judge') {
        inFlight.max = Math.max(inFlight.max, ++inFlight.now);
        response.once('close', () => inFlight.now--);
      }
      await answerOf(call)(call, response);
    });
    answering.catch(() => response.destroy());
  });
  const answerOf = (call: ProviderCall): Answer => {
    if (call.apiKey === undefined) return failure(401);
    const { provider, operation } = call;
    const ofKey = BY_KEY[call.apiKey];
    if (ofKey !== undefined) return ofKey;
    const queuedAnswer = operation === 'judge' ? queued.get(provider)?.shift() : undefined;
    return queuedAnswer ?? standing.get(`${provider} ${operation}`) ?? DEFAULT_ANSWERS[operation];
  };
  const { url, port, stop } = await listening(server);
  return {
    url,
    env: {
      OPENAI_BASE_URL: `${url}/openai-api/v1`,
      ANTHROPIC_BASE_URL: `${url}/anthropic`,
      GOOGLE_GEMINI_BASE_URL: `${url}/google/v1beta/openai`,
      JUDGE_ENDPOINT_ALLOWLIST: `127.0.0.1:${port}`,
    },
    calls,
    inFlight,
    azureModel: (deployment = 'judge-deployment') => `${url}|${deployment}`,
    next(provider, ...answers) {
      queued.set(provider, [...(queued.get(provider) ?? []), ...answers]);
    },
    always(provider, answer, operation = 'judge') {
      for (const name of provider === 'all' ? ALL : [provider]) standing.set(`${name} ${operation}`, answer);
    },
    reset() {
      queued.clear();
      standing.clear();
      calls.length = 0;
      inFlight.max = inFlight.now;
    },
    stop,
  };
}

async function receive(request: IncomingMessage): Promise<ProviderCall | undefined> {
  const path = request.url ?? '';
  const { pathname } = new URL(path, 'http://stand-in');
  const known = PATHS.find(([, , pattern]) => pattern.test(pathname));
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (known === undefined) return undefined;
  const [provider, operation, pattern] = known;
  const text = Buffer.concat(chunks).toString();
  const body = text === '' ? undefined : JSON.parse(text);
  const messages: { role: string; content: string }[] = body?.messages ?? [];
  const said = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
  return {
    provider,
    operation,
    method: request.method ?? '',
    path,
    headers: request.headers,
    body,
    apiKey: keyOf(provider, request.headers),
    model: provider === 'azure_openai' ? (pattern.exec(pathname)?.[1] ?? '') : (body?.model ?? ''),
    system: provider === 'anthropic' ? (body?.system ?? '') : said('system'),
    user: said('user'),
  };
}

/** Anthropic accepts the key in either header and requires a version. */
function keyOf(provider: ProviderName, headers: IncomingMessage['headers']): string | undefined {
  const single = (name: string) => headers[name] as string | undefined;
  if (provider === 'azure_openai') return single('api-key');
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (provider !== 'anthropic') return bearer;
  return headers['anthropic-version'] && (bearer ?? single('x-api-key'));
}
