import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import {
  type Answer,
  content,
  cut,
  envelope,
  failure,
  hang,
  type ProviderName,
  raw,
  redirect,
  verdict,
} from '../../support/providers.ts';
import { ALL, KEY, startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

const MASKED = `${KEY.slice(0, 8)}***${KEY.slice(-4)}`;

/** Nothing of the key beyond its first characters. */
function expectNoKey(value: unknown): void {
  const text = JSON.stringify(value);
  expect(text).not.toContain(KEY);
  expect(text).not.toContain(KEY.slice(0, 12));
  expect(text).not.toContain(KEY.slice(-12));
  expect(text).not.toContain(MASKED);
}

const CASES: [what: string, answer: Answer, code: string, calls: number][] = [
  ['401', failure(401), 'BYOK_KEY_REJECTED', 1],
  ['402', failure(402), 'JUDGE_NO_CREDIT', 1],
  ['403', failure(403), 'BYOK_KEY_REJECTED', 1],
  ['404', failure(404), 'MODEL_NOT_CONFIGURED', 1],
  ['400', failure(400), 'JUDGE_REQUEST_REJECTED', 1],
  ['413', failure(413), 'JUDGE_CONTEXT_TOO_LONG', 1],
  ['408', failure(408), 'JUDGE_TIMEOUT', 4],
  ['429', failure(429), 'JUDGE_RATE_LIMITED', 4],
  ['500', failure(500), 'JUDGE_UNAVAILABLE', 4],
  ['503', failure(503), 'JUDGE_UNAVAILABLE', 4],
  ['529', failure(529), 'JUDGE_UNAVAILABLE', 4],
  ['a 500 of 10 MB', raw('x'.repeat(10_000_000), 'text/plain', 500), 'JUDGE_UNAVAILABLE', 4],
  [
    'a 503 that says not to come back',
    failure(503, { headers: { 'x-should-retry': 'false' } }),
    'JUDGE_UNAVAILABLE',
    1,
  ],
  ['a cut body', cut(), 'JUDGE_UNAVAILABLE', 4],
  ['a dropped connection', (_call, response) => void response.destroy(), 'JUDGE_UNAVAILABLE', 4],
  ['silence', hang(), 'JUDGE_TIMEOUT', 4],
  ['a body that never ends', drip(), 'JUDGE_TIMEOUT', 4],
  ['a refusal', content('I cannot judge this.', 'refusal'), 'JUDGE_REFUSED', 1],
  ['a content filter', content('', 'content_filter'), 'JUDGE_REFUSED', 1],
  ['a truncated answer', content('{"reasoning":"a","score":1}', 'length'), 'JUDGE_TRUNCATED', 2],
  ['garbage', raw('{"id":'), 'JUDGE_UNPARSABLE', 2],
  ['nothing', raw(''), 'JUDGE_UNPARSABLE', 2],
  ['another content type', raw('<html>busy</html>', 'text/html'), 'JUDGE_UNPARSABLE', 2],
  ['a JSON of another kind', raw('[1,2]'), 'JUDGE_UNPARSABLE', 2],
  ['10 MB', padded(10_000_000), 'JUDGE_UNPARSABLE', 2],
  ['a little over 1 MB', padded(1_048_576), 'JUDGE_UNPARSABLE', 2],
  ['a compressed verdict', compressed(), 'JUDGE_UNPARSABLE', 2],
  ['a redirect', redirect('http://127.0.0.1:9/elsewhere'), 'JUDGE_UNAVAILABLE', 1],
];

/** A good verdict, but for its size. */
function padded(bytes: number): Answer {
  return (call, response) => {
    const answer = envelope(call, '{"reasoning":"r","score":1}');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...answer, filler: 'x'.repeat(bytes) }));
  };
}

/** A good verdict, compressed without a request for it. */
function compressed(): Answer {
  return (call, response) => {
    const answer = gzipSync(JSON.stringify(envelope(call, '{"reasoning":"r","score":1}')));
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(answer);
  };
}

function drip(): Answer {
  return (_call, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };
}

describe.each(ALL)('%s', (provider) => {
  test.each(CASES)('%s', async (what, answer, code, calls) => {
    providers.always(provider, answer);
    const isSlow = code === 'JUDGE_TIMEOUT' && what !== '408';
    const { outcome, trace } = await judgeOnce({ provider }, {}, isSlow ? { callTimeoutMs: 150 } : {});
    const expected = what === 'a redirect' && provider === 'azure_openai' ? 'ENDPOINT_NOT_ALLOWED' : code;
    expect(outcome).toMatchObject({ kind: 'error', code: expected, reason: expect.any(String) });
    expect(providers.calls).toHaveLength(calls);
    expect(trace.slots).toEqual({ taken: calls, held: 0, heldAtSleep: 0 });
    expectNoKey(outcome);
  });

  test('scrubs the key out of reason and raw response', async () => {
    const reasoning = `The key ${KEY} and ${MASKED} and ${KEY.slice(3, 20)} were seen.`;
    providers.next(provider, verdict({ reasoning }));
    const { outcome } = await judgeOnce({ provider });
    expect(outcome).toMatchObject({ kind: 'verdict', reason: expect.stringContaining('[redacted]') });
    expectNoKey(outcome);
  });

  test('a redirect takes no key anywhere', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const canary = createServer((request, response) => {
      seen.push(request.headers);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const { port } = canary.address() as AddressInfo;
    for (const status of [301, 302, 303, 307, 308]) {
      providers.always(provider, redirect(`http://127.0.0.1:${port}/take`, status));
      expect((await judgeOnce({ provider })).outcome.kind).toBe('error');
    }
    expect(seen).toEqual([]);
    canary.close();
  });
});

test('just under 1 MB is read', async () => {
  providers.always('openai', padded(1_040_000));
  expect((await judgeOnce()).outcome.kind).toBe('verdict');
});

describe('error messages of providers', () => {
  const SAID: [ProviderName, Answer, string][] = [
    [
      'google',
      failure(400, { message: 'API key not valid. Please pass a valid API key.' }),
      'BYOK_KEY_REJECTED',
    ],
    ['openai', failure(403, { code: 'model_not_found', message: 'no access' }), 'MODEL_NOT_CONFIGURED'],
    ['azure_openai', failure(404, { code: 'DeploymentNotFound' }), 'MODEL_NOT_CONFIGURED'],
    ['azure_openai', failure(400, { code: 'content_filter' }), 'JUDGE_REFUSED'],
    ['openai', failure(429, { code: 'insufficient_quota' }), 'JUDGE_NO_CREDIT'],
    ['google', content('', 'content_filter'), 'JUDGE_REFUSED'],
  ];
  test.each(SAID)('%s %#: one call', async (provider, answer, code) => {
    providers.always(provider, answer);
    const { outcome } = await judgeOnce({ provider });
    expect(outcome).toMatchObject({ kind: 'error', code });
    expect(providers.calls).toHaveLength(1);
  });

  test('the reason names the model and quotes the provider', async () => {
    providers.always('openai', failure(404, { message: 'The model does not exist.' }));
    const { outcome } = await judgeOnce({ model: 'gpt-0' });
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/"gpt-0".*The model does not exist/) });
  });
});

test.each(['', 'sk\nx: y', 'sk-€', 'sk with blank'])('the key %j is never sent', async (key) => {
  const { outcome } = await judgeOnce({ apiKey: new Secret(key) });
  expect(outcome).toMatchObject({ kind: 'error', code: 'BYOK_KEY_REJECTED' });
  expect(providers.calls).toHaveLength(0);
});
