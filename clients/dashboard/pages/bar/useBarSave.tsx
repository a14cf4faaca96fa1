import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { EvalgateError } from '../../../sdk/index.ts';
import type { Form, Values } from '../../parts/Form.tsx';
import { Trouble } from '../../parts/Notice.tsx';
import { type Clash, Conflict } from './Conflict.tsx';
import { Moved } from './Moved.tsx';
import { isToldFirst, type Moves } from './moves.ts';

interface Saving<Body> {
  readonly form: Form;
  readonly labels: Values;
  /** That the form was opened with. */
  readonly version: number;
  /** What was changed. */
  readonly body: () => Body;
  /** What that does to the bar, asked before it is saved. */
  readonly moves: (body: Body) => Promise<Moves | undefined>;
  readonly put: (body: Body, version: number) => Promise<unknown>;
  /** What is there after somebody else saved. */
  readonly now: () => Promise<{ readonly values: Values; readonly version: number }>;
  readonly onSaved: () => void;
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
export function useBarSave<Body extends object>(
  saving: Saving<Body>,
): {
  readonly submit: (event: SubmitEvent) => void;
  readonly notices: JSX.Element;
} {
  const { form, labels, body, moves, put, now, onSaved } = saving;
  const version = useRef(saving.version);
  const [told, setTold] = useState<Moves>();
  const [clash, setClash] = useState<Clash>();

  /** False: what both changed is shown. */
  const putOnce = async (changed: Body): Promise<boolean> => {
    try {
      await put(changed, version.current);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const { values, version: newest } = await now();
      version.current = newest;
      const found = clashOf(form, values);
      form.rebase(values);
      // A change of something else is none of this one.
      if (found.names.length === 0) return putOnce(changed);
      setClash(found);
      return false;
    }
    return true;
  };
  const send = async () => {
    if (await putOnce(body())) form.settle(onSaved);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.action.run(async () => {
      setClash(undefined);
      const changed = body();
      if (Object.keys(changed).length === 0) return onSaved();
      const planned = await moves(changed);
      if (planned && isToldFirst(planned)) setTold(planned);
      else await send();
    });
  };
  const notices = (
    <>
      {clash && <Conflict {...{ form, clash, labels }} onSettled={() => setClash(undefined)} />}
      <Trouble problem={form.action.problem} />
      {told && <Moved moves={told} act={send} onClose={() => setTold(undefined)} />}
    </>
  );
  return { submit, notices };
}
