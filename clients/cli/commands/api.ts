import { readJson } from '../../files/read/jsonText.ts';
import { Problems, startOf } from '../../files/read/problems.ts';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { OPERATIONS } from '../../sdk/generated/operations.ts';
import { listOf, type Page, type Query } from '../../sdk/lists.ts';
import { operationOf } from '../../sdk/transport/operation.ts';
import type { Input } from '../../sdk/transport/request.ts';
import { type Context, connectRaw, type Handler } from '../context.ts';
import { pairsOf } from '../input/options.ts';
import { placeOf, readText } from '../input/readText.ts';
import type { Io } from '../io.ts';
import { stopAtErrors } from '../output/problems.ts';
import { Problem } from '../problem.ts';

export interface ApiOptions {
  readonly data?: string;
  readonly field?: readonly string[];
  readonly paginate?: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Their fields are the query, and they have no body. */
const WITHOUT_BODY = ['GET', 'DELETE'];

/** Sends one request with the credential, and prints the body of the answer. */
export const api: Handler<ApiOptions> = async (context, [given = '', path = ''], options) => {
  const { io, terminal } = context;
  const method = given.toUpperCase();
  if (!METHODS.includes(method)) {
    throw new Problem(
      `${given} is no method.`,
      `Such as evalgate api GET /v1/whoami. It knows ${METHODS.join(', ')}.`,
    );
  }
  if (options.paginate && method !== 'GET') throw new Problem('--paginate is for GET.');
  const { names, query } = addressOf(path);
  const fields = pairsOf('--field', options.field ?? [], 'pageSize=20');
  const body = await bodyOf(context, method, options);
  const isQuery = WITHOUT_BODY.includes(method);
  const twice = Object.keys(fields).find((name) => isQuery && Object.hasOwn(query, name));
  if (twice !== undefined) throw new Problem(`${twice} is in the path and in --field.`, 'Leave one out.');
  const input: Input = {
    names,
    query: isQuery ? { ...query, ...fields } : query,
    body: isQuery ? undefined : (body ?? (options.field && fields)),
  };
  const operation = operationOf(
    [method, `/${names.map(() => ':').join('/')}`, ...traitsOf(method, names)].join(' '),
  );
  const send = connectRaw(context);
  const ask = async (query: Query | undefined) =>
    (await send(operation, { ...input, query }, { signal: io.signal })).body;
  const answer = options.paginate ? await everyItem(input.query, ask) : await ask(input.query);
  if (answer !== undefined) terminal.data(`${safeJson(answer, 2)}\n`);
  return EXIT.done;
};

/** The path's parts and its query. What may lead to another host, or to another path than it looks, is refused. */
function addressOf(given: string): {
  readonly names: readonly string[];
  readonly query: Readonly<Record<string, string>>;
} {
  const [, path = '', search = ''] = /^\/?([^?]*)\??(.*)$/s.exec(given) ?? [];
  const names = path.split('/').map(decoded);
  const isPath = names.every((name) => name !== undefined && !/^\.{0,2}$|^egk_|[\\#\p{Cc}]/u.test(name));
  if (!isPath || path.includes('://')) {
    throw new Problem(
      `${given} is no path of the service.`,
      'Such as /v1/whoami. Which there are: evalgate open. The service is that of --url or the login.',
    );
  }
  const pairs = [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`);
  return { names: names as string[], query: pairsOf('the query', pairs, 'pageSize=20') };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** How the client sends the operation, so that it is repeated where that is safe. None for a path that it does not know. */
function traitsOf(method: string, names: readonly string[]): string[] {
  const rows = Object.values(OPERATIONS).flatMap((operations): string[] => Object.values(operations));
  const row = rows.find((candidate) => {
    const [known, path = ''] = candidate.split(' ');
    const parts = path.slice(1).split('/');
    const fits = parts.every((part, index) => part === ':' || part === names[index]);
    return known === method && parts.length === names.length && fits;
  });
  return row?.split(' ').slice(2) ?? [];
}

async function bodyOf(
  { io, terminal }: Context,
  method: string,
  { data, field }: ApiOptions,
): Promise<unknown> {
  if (data === undefined) return undefined;
  if (WITHOUT_BODY.includes(method))
    throw new Problem(`${method} has no body.`, 'Give --field for its query.');
  if (field !== undefined) throw new Problem('Give either --data or --field.');
  const { text, place } = await textOf(io, data);
  const problems = new Problems();
  const document = readJson(text, startOf(place), problems);
  stopAtErrors(problems, terminal);
  return document?.value;
}

/** JSON, `@` and a file of it, or `-` for stdin. */
async function textOf(io: Io, data: string): Promise<{ readonly text: string; readonly place: string }> {
  const file = data === '-' ? data : data.startsWith('@') ? data.slice(1) : undefined;
  return file === undefined
    ? { text: data, place: '--data' }
    : { text: await readText(io, file), place: placeOf(file) };
}

async function everyItem(query: Query | undefined, ask: (query: Query | undefined) => Promise<unknown>) {
  const items: unknown[] = [];
  const fetchPage = async (query: Query): Promise<Page<unknown>> => {
    const page = (await ask(query)) as Page<unknown> | null | undefined;
    if (Array.isArray(page?.data)) return page;
    throw new Problem('The answer is no list.', 'Leave --paginate out.');
  };
  for await (const item of listOf(query, fetchPage)) items.push(item);
  return items;
}
