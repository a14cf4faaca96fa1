import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { waitForBrowser } from '../../../clients/cli/commands/waitForBrowser.ts';
import type { Context } from '../../../clients/cli/context.ts';
import { ENVIRONMENT } from '../../../clients/sdk/transport/environment.ts';

const STATE = 's'.repeat(43);

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly host?: string;
}

/** The status; undefined where nothing listens any more. */
const statusOf = (port: number, { path, method = 'GET', host = `127.0.0.1:${port}` }: Sent) =>
  new Promise<number | undefined>((resolve) => {
    request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', () => resolve(undefined))
      .end();
  });

/** As far as it is used. */
const contextOf = (signal = new AbortController().signal, after = ENVIRONMENT.after) =>
  ({ io: { signal, clock: { now: Date.now, sleep: ENVIRONMENT.sleep, after } } }) as unknown as Context;

test('only the first request with the state counts; all others are 404, and then nothing listens', async () => {
  let listening = 0;
  const code = await waitForBrowser(contextOf(), STATE, async (port) => {
    listening = port;
    const right = `/?code=abc&state=${STATE}`;
    for (const other of [
      { path: '/' },
      { path: `/?code=abc&state=${'t'.repeat(43)}` },
      { path: `/?code=abc&state=${STATE}x` },
      { path: `/?code=abc&state=${encodeURIComponent('é'.repeat(43))}` },
      { path: '/?code=abc' },
      { path: `/callback?code=abc&state=${STATE}` },
      { path: right, method: 'POST' },
      { path: right, method: 'OPTIONS' },
      { path: right, host: 'evil.example' },
      { path: right, host: `localhost:${port}` },
    ])
      expect([other, await statusOf(port, other)]).toEqual([other, 404]);
    expect(await statusOf(port, { path: right })).toBe(200);
  });
  expect(code).toBe('abc');
  expect(await statusOf(listening, { path: `/?code=other&state=${STATE}` })).toBeUndefined();
});

test('a refusal in the browser ends the wait', async () => {
  const waiting = waitForBrowser(contextOf(), STATE, async (port) => {
    expect(await statusOf(port, { path: `/?error=access_denied&state=${STATE}` })).toBe(200);
  });
  await expect(waiting).rejects.toThrow('The login was refused in the browser.');
});

test('after five minutes the wait ends, and its hint is the way without a browser', async () => {
  const waits: number[] = [];
  const after: typeof ENVIRONMENT.after = (ms, callback) => {
    waits.push(ms);
    setImmediate(callback);
    return () => undefined;
  };
  const waiting = waitForBrowser(contextOf(undefined, after), STATE, async () => undefined);
  await expect(waiting).rejects.toMatchObject({
    message: 'The login was not allowed in a browser within 5 minutes.',
    hint: expect.stringContaining('evalgate login --with-key'),
  });
  expect(waits).toEqual([300_000]);
});

test('Ctrl-C ends the wait', async () => {
  const interrupt = new AbortController();
  const waiting = waitForBrowser(contextOf(interrupt.signal), STATE, async () => interrupt.abort());
  await expect(waiting).rejects.toMatchObject({ exitCode: 130 });
});
