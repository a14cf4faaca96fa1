import { EXIT } from '../../gate/problems/exitCodes.ts';
import type { ByokKey, ByokKeysCreateBody } from '../../sdk/index.ts';
import { type Context, connect, type Handler } from '../context.ts';
import { nameOf } from '../input/options.ts';
import { readText } from '../input/readText.ts';
import { askSecret } from '../output/ask.ts';
import { fields, print, printOne } from '../output/print.ts';

const keyFields = ({ id, provider, name, key_prefix, is_default, last_used_at }: ByokKey): string =>
  fields(
    id,
    provider,
    `${key_prefix}…`,
    name ?? 'no name',
    ...(is_default ? ['default'] : []),
    last_used_at === null ? 'never used' : `last used ${last_used_at}`,
  );

/** Only the project that the command line names: that of `evalgate.yaml` is for gates. */
const ofProject = ({ globals: { project } }: Context) => (project === undefined ? {} : { project });

/** Stores the key of a model provider. It is typed, or comes from stdin: never from the command line. */
export const addByokKey: Handler<{ readonly name?: string; readonly default?: boolean }> = async (
  context,
  [provider = ''],
  options,
) => {
  const { io, terminal } = context;
  const { gate } = connect(context);
  const typed = terminal.canAsk ? await askSecret(io, `API key of ${provider}`) : await readText(io, '-');
  const body = {
    provider: provider as ByokKeysCreateBody['provider'],
    key: typed.trim(),
    is_default: options.default ?? false,
    ...(options.name !== undefined && { name: options.name }),
    ...ofProject(context),
  };
  const key = await gate.byokKeys.create(body, { signal: io.signal });
  printOne(context, key, () => keyFields(key));
  terminal.say(`Does the provider take it? evalgate byok test ${key.id}`);
  return EXIT.done;
};

/** The keys of model providers, without the keys themselves. */
export const listByokKeys: Handler = async (context) => {
  const { gate } = connect(context);
  const keys: ByokKey[] = [];
  for await (const key of gate.byokKeys.list(ofProject(context))) keys.push(key);
  print(context, keys, keyFields, 'There are no keys: evalgate byok add <provider>');
  return EXIT.done;
};

/** Asks the provider whether it takes a key. */
export const testByokKey: Handler<{ readonly model?: string }> = async (context, [key = ''], { model }) => {
  const { gate } = connect(context);
  const answer = await gate.byokKeys.test(nameOf('id of a key', key), model ? { model } : {}, {
    signal: context.io.signal,
  });
  printOne(context, answer, () =>
    fields(answer.provider, answer.valid ? 'takes the key' : 'does not take the key'),
  );
  return answer.valid ? EXIT.done : EXIT.callerMustChange;
};
