import { isJsonObject } from '../kit/json.ts';
import { type CallArguments, fail, type TracePath } from '../kit/trace.ts';
import { argumentsOf, keptValue, resultOf, textOf } from './arguments.ts';
import type { TraceBuilder } from './builder.ts';
import { type Fields, fieldsAt, shown } from './fields.ts';

const CALL = ['type', 'tool', 'arguments', 'id', 'parent', 'step', 'error', 'result'];
const MESSAGE = ['type', 'role', 'text'];
const ROLES = ['user', 'assistant', 'system'];
const ID_LENGTH_MAX = 200;
const ERROR_LENGTH_MAX = 2_000;

/** The form that evalgate documents: calls and messages in their order. */
export function readOwn(entries: readonly unknown[], builder: TraceBuilder): void {
  const steps = new Steps(builder);
  for (const [index, value] of entries.entries()) {
    const entry = fieldsAt(value, [index]);
    if (entry.type === 'call') readCall(entry, [index], builder, steps);
    else if (entry.type === 'message') readMessage(entry, [index], builder);
    else fail([index, 'type'], `is ${shown(entry.type)}: must be call or message`);
  }
}

function readCall(entry: Fields, path: TracePath, builder: TraceBuilder, steps: Steps): void {
  refuseOther(entry, CALL, path);
  const { id, parent, error, result } = entry;
  refuseText(id, ID_LENGTH_MAX, [...path, 'id']);
  refuseText(error, ERROR_LENGTH_MAX, [...path, 'error']);
  if (parent !== undefined) builder.known(path, 'parent', parent);
  steps.enter(entry.step, [...path, 'step']);
  builder.call(path, 'tool', {
    tool: entry.tool,
    known: knownOf(entry.arguments, [...path, 'arguments']),
    id,
    failed: error !== undefined,
    parent,
    result: typeof result === 'string' ? resultOf(result) : keptValue(result),
  });
}

function knownOf(value: unknown, path: TracePath): CallArguments {
  if (value === undefined) return {};
  if (typeof value === 'string') return textOf(value);
  return value === null || isJsonObject(value)
    ? argumentsOf(value)
    : fail(path, 'must be an object, or a text');
}

function readMessage(entry: Fields, path: TracePath, builder: TraceBuilder) {
  refuseOther(entry, MESSAGE, path);
  const { role, text } = entry;
  if (!ROLES.includes(role as string))
    fail([...path, 'role'], `is ${shown(role)}: must be ${ROLES.join(', ')}`);
  if (typeof text !== 'string') return fail([...path, 'text'], 'must be a text');
  if (role === 'user') builder.hears();
  if (role === 'assistant') builder.says(text);
}

function refuseOther(entry: Fields, known: readonly string[], path: TracePath): void {
  const other = Object.keys(entry).find((name) => !known.includes(name));
  if (other !== undefined) fail([...path, other], 'is not known here: correct its name or leave it out');
}

function refuseText(value: unknown, lengthMax: number, path: TracePath): void {
  const isText = typeof value === 'string' && value !== '' && value.length <= lengthMax;
  if (value !== undefined && !isText) fail(path, `must be a text of 1 to ${lengthMax} characters`);
}

/** Calls of the same `step` were made at once; where none names one, each is its own. */
class Steps {
  readonly #builder: TraceBuilder;
  #areNamed: boolean | undefined;
  #last = 0;

  constructor(builder: TraceBuilder) {
    this.#builder = builder;
  }

  enter(step: unknown, path: TracePath) {
    this.#areNamed ??= step !== undefined;
    if (this.#areNamed !== (step !== undefined)) fail(path, 'must be given in all calls or in none');
    if (step === undefined) return this.#builder.endStep();
    if (!Number.isSafeInteger(step) || Number(step) < this.#last) {
      fail(path, 'must be a whole number from 0 on, and never fall');
    }
    if (Number(step) > this.#last) this.#builder.endStep();
    this.#last = Number(step);
  }
}
