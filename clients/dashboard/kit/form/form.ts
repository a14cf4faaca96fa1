import { useState } from 'preact/hooks';
import { EvalgateError } from '../../../sdk/index.ts';
import { type Action, useAction } from '../api.ts';
import { jsonProblem } from '../json.ts';
import { useLeaveGuard } from '../leave.ts';
import type { Problem } from '../problems.ts';

/** As they are typed. A box that is ticked is `on`, one that is not is empty. */
export type Values = Readonly<Record<string, string>>;

/** What a form holds. */
export interface Typed {
  readonly values: Values;
  /** Before anything was typed. */
  readonly saved: Values;
  text(name: string): string;
  isOn(name: string): boolean;
}

type State = Pick<Typed, 'saved' | 'values'>;

const touchedIn = ({ saved, values }: State) =>
  Object.entries(values).filter(([name, value]) => value !== (saved[name] ?? ''));

const rebased = (state: State, saved: Values): State => ({
  saved,
  values: { ...saved, ...Object.fromEntries(touchedIn(state)) },
});

const typedOf = (state: State): Typed => ({
  ...state,
  text: (name) => state.values[name] ?? '',
  isOn: (name) => state.values[name] === 'on',
});

export interface Form extends Typed {
  /** Something is typed that is not saved. */
  readonly isChanged: boolean;
  readonly action: Action;
  set(fields: Values): void;
  /** Goes on from what somebody else saved meanwhile: only what was typed here stays. */
  rebase(saved: Values): Typed;
  /** What is typed is saved; `then` may leave the page. */
  settle(then?: () => void): void;
}

/** What is typed into a form; leaving asks while it is not saved. */
export function useForm(initial: Values): Form {
  const [state, setState] = useState<State>({ saved: initial, values: initial });
  const action = useAction();
  const isChanged = touchedIn(state).length > 0;
  useLeaveGuard(isChanged);
  return {
    ...typedOf(state),
    isChanged,
    action,
    set: (fields) => setState((before) => ({ ...before, values: { ...before.values, ...fields } })),
    rebase(saved) {
      setState((before) => rebased(before, saved));
      return typedOf(rebased(state, saved));
    },
    settle(then) {
      setState((before) => ({ ...before, saved: before.values }));
      // What asks before leaving goes with the next rendering.
      if (then) setTimeout(then);
    },
  };
}

/** What is wrong with a field, or with a part of its value. */
export function problemOf(problem: Problem | undefined, name: string): string | undefined {
  for (const [path, message] of problem?.fields ?? []) {
    if (path === name) return message;
    if (path.startsWith(`${name}.`)) return `${path}: ${message}`;
  }
  return undefined;
}

/** What a JSON field says. */
export function jsonOf(form: Typed, name: string, label: string): unknown {
  const wrong = jsonProblem(form.text(name));
  if (wrong !== undefined) throw new EvalgateError(`${label} is not JSON: ${wrong}`, { code: 'NOT_JSON' });
  return JSON.parse(form.text(name));
}
