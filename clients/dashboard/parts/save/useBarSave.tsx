import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { EvalgateError } from '../../../sdk/index.ts';
import type { Field } from '../../kit/form/description.ts';
import type { Form, Typed, Values } from '../../kit/form/form.ts';
import { differences } from '../../kit/form/shown.ts';
import { labelsOf } from '../../kit/form/typed.ts';
import { Trouble } from '../Notice.tsx';
import { type Clash, Conflict } from './Conflict.tsx';
import { type Announced, Moved } from './Moved.tsx';
import { isAnnounced, type Moves } from './moves.ts';

/** What is saved at this moment. */
interface Current<Stored> {
  readonly version: number;
  readonly stored: Stored;
}

interface Saving<Body, Stored> {
  readonly form: Form;
  readonly fields: readonly Field[];
  /** What is stored as it would be typed. */
  readonly typed: (stored: Stored) => Values;
  /** Of a value that a form shows in other words, such as a scorer by its name. */
  readonly words?: (name: string, value: unknown) => unknown;
  /** That the form was opened with. */
  readonly version: number;
  /** What was changed. */
  readonly body: (typed: Typed) => Body;
  /** What that does to the bar, asked before it is saved. */
  readonly moves: (body: Body, stored: Stored) => Promise<Moves | undefined>;
  readonly put: (body: Body, version: number) => Promise<unknown>;
  readonly now: () => Promise<Current<Stored>>;
  readonly onSaved: (typed: Typed) => void;
}

const isConflict = (error: unknown): boolean =>
  error instanceof EvalgateError && error.code === 'VERSION_CONFLICT';

/** Fields that both changed, each in another way. */
const clashOf = ({ values, saved }: Form, theirs: Values): Clash => ({
  theirs,
  names: Object.keys(values).filter((name) => {
    const [mine, before, there] = [values[name], saved[name] ?? '', theirs[name] ?? ''];
    return mine !== before && there !== before && mine !== there;
  }),
});

/** Saves a part of the bar: says first what it moves or makes weaker, and what somebody else changed meanwhile. */
export function useBarSave<Body extends object, Stored extends object>(
  saving: Saving<Body, Stored>,
): {
  readonly submit: (event: SubmitEvent) => void;
  readonly notices: JSX.Element;
} {
  const { form, fields, body, moves, put, now, onSaved, words = (_, value) => value } = saving;
  const version = useRef(saving.version);
  const [announced, setAnnounced] = useState<Announced>();
  const [clash, setClash] = useState<Clash>();

  /** What is typed, over what is there now. Undefined: what both changed is shown. */
  const catchUp = async (): Promise<{ typed: Typed; stored: Stored } | undefined> => {
    const there = await now();
    const { stored } = there;
    if (there.version === version.current) return { typed: form, stored };
    version.current = there.version;
    const theirs = saving.typed(stored);
    const newClash = clashOf(form, theirs);
    const typed = form.rebase(theirs);
    if (newClash.names.length === 0) return { typed, stored };
    setClash(newClash);
    return undefined;
  };
  const send = async (typed: Typed): Promise<void> => {
    try {
      await put(body(typed), version.current);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const caught = await catchUp();
      return caught && send(caught.typed);
    }
    form.settle(() => onSaved(typed));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.action.run(async () => {
      setClash(undefined);
      if (Object.keys(body(form)).length === 0) return onSaved(form);
      const caught = await catchUp();
      if (!caught) return;
      const { typed, stored } = caught;
      const changed = body(typed);
      const planned = await moves(changed, stored);
      if (!planned || !isAnnounced(planned)) return send(typed);
      const [before, after] = [stored, { ...stored, ...changed }].map((object) =>
        Object.fromEntries(Object.entries(object).map(([name, value]) => [name, words(name, value)])),
      );
      setAnnounced({ moves: planned, differences: differences(fields, before ?? {}, after ?? {}) });
    });
  };
  const notices = (
    <>
      {clash && (
        <Conflict {...{ form, clash }} labels={labelsOf(fields)} onSettled={() => setClash(undefined)} />
      )}
      <Trouble problem={form.action.problem} />
      {announced && <Moved {...announced} act={() => send(form)} onClose={() => setAnnounced(undefined)} />}
    </>
  );
  return { submit, notices };
}
