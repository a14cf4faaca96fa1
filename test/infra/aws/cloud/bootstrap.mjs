// The runtime of an execution environment: loads the handler and hands it one event at a time.
// Plain JavaScript, so that a cold start costs what the bundle costs.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { _HANDLER = '', LAMBDA_TASK_ROOT = '' } = process.env;
const realNow = Date.now;
let aheadMs = 0;
Date.now = () => realNow() + aheadMs;

// Ends with the process that started it.
process.once('disconnect', () => process.exit());

const described = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, stack: error.stack }
    : { errorType: typeof error, errorMessage: String(error) };

async function load() {
  const [name, exported] = _HANDLER.split('.');
  const file = ['.js', '.mjs', '.cjs']
    .map((extension) => path.join(LAMBDA_TASK_ROOT, name + extension))
    .find(existsSync);
  if (file === undefined) throw new Error(`Cannot find module '${name}' in ${LAMBDA_TASK_ROOT}`);
  const { [exported]: handler } = await import(pathToFileURL(file).href);
  if (typeof handler !== 'function') throw new Error(`${_HANDLER} is undefined or not exported`);
  return handler;
}

function contextOf({ timeoutMs, ...context }) {
  const deadline = Date.now() + timeoutMs;
  return {
    ...context,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

/** Lambda's limit of an answer. */
const ANSWER_BYTES_MAX = 6_291_556;

function checked(answer) {
  const bytes = Buffer.byteLength(JSON.stringify(answer) ?? '');
  if (bytes <= ANSWER_BYTES_MAX) return answer;
  throw new Error(
    `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${ANSWER_BYTES_MAX} bytes).`,
  );
}

const loaded = load();
// The invoker receives the error.
loaded.catch(() => {});

process.on('message', async ({ event, context, clockAheadMs }) => {
  aheadMs = clockAheadMs;
  try {
    const handler = await loaded;
    const answer = checked(await handler(event, contextOf(context)));
    process.send({ answer: answer ?? null });
  } catch (error) {
    process.send({ error: described(error) });
  }
});
