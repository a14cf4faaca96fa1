import type { OutputItem } from '../../../contracts/outputs.ts';
import type { Trace } from '../../../scoring/kit/trace.ts';
import { invalidField } from '../../errors.ts';

interface Sent {
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly trace?: readonly unknown[] | undefined;
  readonly messages?: readonly unknown[] | undefined;
}

/** What its agent did is in the normal form. */
type Read<T extends Sent> = Omit<T, 'trace' | 'messages'> & { readonly trace?: Trace | undefined };

/** An item whose trace was read. */
export type ReadItem = Read<OutputItem>;

const hasTrace = ({ trace, messages }: Sent): boolean => trace !== undefined || messages !== undefined;

type Request = Sent & { readonly outputs?: readonly OutputItem[] | undefined };
type ReadRequest<T extends Request> = Omit<Read<T>, 'outputs'> & {
  readonly outputs?: readonly ReadItem[] | undefined;
};

interface Traces {
  readonly trace?: Trace | undefined;
  readonly outputs?: readonly ReadItem[] | undefined;
}

/** Whether a trace has a result of a tool. */
export const hasResults = ({ trace, outputs = [] }: Traces): boolean =>
  [trace, ...outputs.map((item) => item.trace)].some((one) =>
    one?.some(({ result }) => result !== undefined),
  );

/** A request with its traces in the normal form. Throws 400 at what cannot be read, since a call might be lost. */
export async function withTraces<T extends Request>(request: T): Promise<ReadRequest<T>> {
  const { outputs, ...requestFields } = request;
  if (!hasTrace(request) && !outputs?.some(hasTrace)) return request as unknown as ReadRequest<T>;
  // Few requests have a trace: its readers are loaded with the first.
  const { readTrace } = await import('../../../scoring/trace/read.ts');
  const readAt = <Item extends Sent>(sent: Item, path: readonly string[]): Read<Item> => {
    if (!hasTrace(sent)) return sent as unknown as Read<Item>;
    const field = sent.trace === undefined ? 'messages' : 'trace';
    const read = readTrace(field, sent[field]);
    if (!read.ok) throw invalidField([...path, field, ...read.path].join('.'), read.message);
    const { trace: _, messages: __, ...rest } = sent;
    const { trace, output } = read;
    const readOutput = sent.output === undefined && sent.error === undefined ? { output } : {};
    return { ...rest, ...readOutput, trace } as unknown as Read<Item>;
  };
  const items = outputs?.map((item, index) => readAt(item, ['outputs', String(index)]));
  return { ...readAt(requestFields, []), ...(items && { outputs: items }) } as unknown as ReadRequest<T>;
}
