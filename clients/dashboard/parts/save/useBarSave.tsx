import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { EvalgateError } from '../../../sdk/index.ts';
import type { Form, Typed, Values } from '../../kit/form/form.ts';
import { Trouble } from '../Notice.tsx';
import { type Clash, Conflict } from './Conflict.tsx';
import { Moved } from './Moved.tsx';
import { isAnnounced, type Moves } from './moves.ts';

/** What is saved at this moment. */
interface Current {
  readonly version: number;
  /** As it would be typed. */
  readonly values: Values;
}

interface Saving<Body, There extends Current> {
  readonly form: Form;
  readonly labels: Values;
  /** That the form was opened with. */
  readonly version: number;
  /** What was changed. */
  readonly body: (typed: Typed) => Body;
  /** What that does to the bar, asked before it is saved. */
  readonly moves: (body: Body, there: There) => Promise<Moves | undefined>;
  readonly put: (body: Body, version: number) => Promise<unknown>;
  readonly now: () => Promise<There>;
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
export function useBarSave<Body extends object, There extends Current>(
  saving: Saving<Body, There>,
): {
  readonly submit: (event: SubmitEvent) => void;
  readonly notices: JSX.Element;
} {
  const { form, labels, body, moves, put, now, onSaved } = saving;
  const version = useRef(saving.version);
  const [announced, setAnnounced] = useState<Moves>();
  const [clash, setClash] = useState<Clash>();

  /** What is typed, over what is there now. Undefined: what both changed is shown. */
  const catchUp = async (): Promise<{ typed: Typed; there: There } | undefined> => {
    const there = await now();
    if (there.version === version.current) return { typed: form, there };
    version.current = there.version;
    const newClash = clashOf(form, there.values);
    const typed = form.rebase(there.values);
    if (newClash.names.length === 0) return { typed, there };
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
      const { typed, there } = caught;
      const planned = await moves(body(typed), there);
      if (planned && isAnnounced(planned)) setAnnounced(planned);
      else await send(typed);
    });
  };
  const notices = (
    <>
      {clash && <Conflict {...{ form, clash, labels }} onSettled={() => setClash(undefined)} />}
      <Trouble problem={form.action.problem} />
      {announced && (
        <Moved moves={announced} act={() => send(form)} onClose={() => setAnnounced(undefined)} />
      )}
    </>
  );
  return { submit, notices };
}
