import { OPERATIONS } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { listOf, type Page, type Query } from './lists.ts';
import { fieldOf } from './transport/answer.ts';
import { type KeyedOptions, type Operation, operationOf } from './transport/operation.ts';
import type { Send, SendOptions } from './transport/send.ts';

/** What a caller gets of an answer; one without a body says nothing. */
const contentOf = ({ has }: Operation, body: unknown): unknown =>
  body === undefined || has('whole') ? body : fieldOf(body, 'data');

/** The method of an operation: names in the path, then body or query, then options. */
const methodOf =
  (send: Send, operation: Operation) =>
  (...rest: unknown[]): unknown => {
    const names = rest.splice(0, operation.path.split(':').length - 1) as string[];
    const { method, has } = operation;
    const query = (has('list') || has('query') ? rest.shift() : undefined) as Query | undefined;
    const body = method.startsWith('P') && !has('bare') ? rest.shift() : undefined;
    const { idempotencyKey, ...options } = (rest[0] ?? {}) as KeyedOptions & SendOptions;
    const get = async (query: Query | undefined) =>
      (await send(operation, { names, query, body, idempotencyKey }, options)).body;
    if (has('list')) return listOf(query, get as (query: Query) => Promise<Page<unknown>>);
    return get(query).then((answered) => contentOf(operation, answered));
  };

const mapped = <T>(fields: object, make: (value: T) => unknown): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, make(value)]));

/** Every operation, as `<resource>.<verb>`. */
export function resourcesOf(send: Send): Resources {
  const methodsOf = (rows: object) => mapped(rows, (row: string) => methodOf(send, operationOf(row)));
  return mapped(OPERATIONS, methodsOf) as unknown as Resources;
}
