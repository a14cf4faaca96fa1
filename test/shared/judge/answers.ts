import type { IncomingMessage, ServerResponse } from 'node:http';

export type ProviderName = 'openai' | 'anthropic' | 'google' | 'azure_openai';

export interface ProviderCall {
  readonly provider: ProviderName;
  readonly operation: 'judge' | 'list_models';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  readonly body: any;
  /** As the provider in question expects it; undefined when it came in another form. */
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly system: string;
  readonly user: string;
}

export type Answer = (call: ProviderCall, response: ServerResponse) => void | Promise<void>;

export interface VerdictFields {
  readonly score?: number;
  readonly precision?: number;
  readonly recall?: number;
  readonly reasoning?: string;
}

/** One verdict object of the kind that the call's schema asks for; `score` also stands in for both sides. */
export function verdict(fields: VerdictFields = {}): Answer {
  return (call, response) => {
    const { score = 1, reasoning = 'The output meets every point of the rubric.' } = fields;
    const { precision = score, recall = score } = fields;
    const isDualSided = JSON.stringify(call.body).includes('"precision":{');
    const value = isDualSided ? { reasoning, precision, recall } : { reasoning, score };
    return content(JSON.stringify(value))(call, response);
  };
}

export type Ending = 'stop' | 'length' | 'content_filter' | 'refusal';

/** Whatever the model is to say, in the provider's envelope. */
export function content(text: string, ending: Ending = 'stop'): Answer {
  return (call, response) => json(response, 200, envelope(call, text, ending));
}

export function envelope(call: ProviderCall, text: string, ending: Ending = 'stop'): Record<string, unknown> {
  return call.provider === 'anthropic' ? message(call, text, ending) : completion(call, text, ending);
}

function completion(call: ProviderCall, text: string, ending: Ending): Record<string, unknown> {
  const isRefusal = ending === 'refusal';
  const answer = { role: 'assistant', content: isRefusal ? null : text, refusal: isRefusal ? text : null };
  return {
    id: 'chatcmpl-standin',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: call.model,
    choices: [{ index: 0, message: answer, logprobs: null, finish_reason: isRefusal ? 'stop' : ending }],
    usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    ...(call.provider === 'azure_openai' ? { prompt_filter_results: [] } : {}),
  };
}

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  refusal: 'refusal',
};

function message(call: ProviderCall, text: string, ending: Ending): Record<string, unknown> {
  return {
    id: 'msg_standin',
    type: 'message',
    role: 'assistant',
    model: call.model,
    content: [{ type: 'text', text }],
    stop_reason: STOP_REASONS[ending],
    stop_sequence: null,
    usage: {
      input_tokens: 120,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 30,
    },
  };
}

export interface FailureOptions {
  readonly message?: string;
  readonly code?: string;
  readonly headers?: Record<string, string>;
}

/** An error in the provider's own form. */
export function failure(status: number, options: FailureOptions = {}): Answer {
  const { message = `stand-in failure ${status}`, code = `standin_${status}`, headers = {} } = options;
  return (call, response) => {
    const error = { message, type: code, code, param: null };
    const bodies: Record<ProviderName, unknown> = {
      openai: { error },
      azure_openai: { error: { code, message } },
      google: [{ error: { code: status, message, status: code } }],
      anthropic: { type: 'error', error: { type: code, message }, request_id: 'req_standin' },
    };
    json(response, status, bodies[call.provider], headers);
  };
}

export const raw =
  (text: string, contentType = 'application/json', status = 200): Answer =>
  (_call, response) =>
    void response.writeHead(status, { 'content-type': contentType }).end(text);

/** Takes the call and never says anything. */
export const hang = (): Answer => () => {};

/** Promises a body, sends its start and drops the connection. */
export const cut = (): Answer => (call, response) => {
  const text = JSON.stringify(envelope(call, '{"reasoning":"x","score":1}'));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};

export const redirect =
  (location: string, status = 307): Answer =>
  (_call, response) =>
    void response.writeHead(status, { location }).end();

export const modelList: Answer = (call, response) =>
  json(response, 200, {
    object: 'list',
    data: [{ id: 'standin-model', object: 'model', type: 'model', created: 1_790_000_000 }],
    ...(call.provider === 'anthropic' ? { has_more: false, first_id: null, last_id: null } : {}),
  });

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
