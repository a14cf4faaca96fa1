import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Case, EvalgateError, type Suite } from '../../../sdk/index.ts';
import { useAction, write } from '../../kit/api.ts';
import { useLeaveGuard } from '../../kit/leave.ts';
import { saysMore } from '../../kit/text.ts';
import { Icon } from '../../parts/icons.tsx';
import { Notice, Trouble } from '../../parts/Notice.tsx';
import { casesKey, suiteKey } from '../../parts/save/data.ts';
import { PAGE_SIZE } from '../../parts/save/pages.ts';
import { Foreign } from '../../parts/Words.tsx';

interface Props {
  readonly project: string;
  readonly suite: Suite;
  /** All of them. */
  readonly cases: readonly Case[];
  readonly onDone: () => void;
}

const moved = <T,>(items: readonly T[], from: number, to: number): readonly T[] => {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1));
};

/** The typed order of what is still there, then what is new. */
const among = (order: readonly Case[], cases: readonly Case[]): readonly Case[] => {
  const known = new Map(cases.map((evalCase) => [evalCase.id, evalCase]));
  const kept = order.flatMap(({ id }) => known.get(id) ?? []);
  const names = new Set(kept.map(({ id }) => id));
  return [...kept, ...cases.filter(({ id }) => !names.has(id))];
};

const isConflict = (error: unknown): boolean =>
  error instanceof EvalgateError && error.code === 'VERSION_CONFLICT';

/** Another order of the cases, by mouse or by arrow keys; one request saves it. */
export function Order({ project, suite, cases, onDone }: Props): JSX.Element {
  const [order, setOrder] = useState(cases);
  const [moveWords, setMoveWords] = useState('');
  const [count, setCount] = useState(PAGE_SIZE);
  const [isBehind, setBehind] = useState(false);
  const focus = useRef<string | undefined>(undefined);
  const version = useRef(suite.version);
  const list = useRef<HTMLOListElement>(null);
  const action = useAction();
  const now = among(order, cases);
  const isChanged = now.some(({ id }, index) => id !== cases[index]?.id);
  useLeaveGuard(isChanged);
  // Moving an element takes its focus away.
  useEffect(() => {
    if (!focus.current) return;
    list.current?.querySelector<HTMLElement>(`[data-id="${focus.current}"]`)?.focus();
  }, [order]);

  const move = (from: number, to: number) => {
    const evalCase = now[from];
    if (!evalCase || to < 0 || to >= now.length) return;
    focus.current = evalCase.id;
    setOrder(moved(now, from, to));
    setMoveWords(`${evalCase.key} is now ${to + 1} of ${now.length}`);
  };
  const save = () =>
    void action.run(async () => {
      const case_ids = now.map(({ id }) => id);
      const touched = [casesKey(suite.id), suiteKey(project, suite.slug)];
      try {
        await write(
          (sdk) => sdk.cases.reorder(suite.id, { case_ids, expected_version: version.current }),
          ...touched,
        );
      } catch (error) {
        if (!isConflict(error)) throw error;
        version.current = await write(
          async (sdk) => (await sdk.suites.get(project, suite.slug)).version,
          ...touched,
        );
        setBehind(true);
        return;
      }
      onDone();
    });
  return (
    <section class="card" aria-label="Order of the cases">
      <p class="hint">
        Move a case with its arrows, or with <kbd>↑</kbd> and <kbd>↓</kbd> while one of them has the focus.
      </p>
      <ol class="order" ref={list}>
        {now.slice(0, count).map(({ id, key, name }, index) => (
          <li key={id}>
            <OneArrow
              name="up"
              id={id}
              label={`${key} up`}
              isOff={index === 0}
              go={(by) => move(index, index + by)}
            />
            <OneArrow
              name="down"
              label={`${key} down`}
              isOff={index === now.length - 1}
              go={(by) => move(index, index + by)}
            />
            <span>
              <strong>
                <Foreign text={key} />
              </strong>{' '}
              <span class="muted">{saysMore(name, key) && <Foreign text={name} />}</span>
            </span>
          </li>
        ))}
      </ol>
      {now.length > count && (
        <button type="button" class="quiet" onClick={() => setCount(count + PAGE_SIZE)}>
          Show more
        </button>
      )}
      <p class="hidden" role="status">
        {moveWords}
      </p>
      {isBehind && (
        <Notice tone="warning" title="The suite was changed meanwhile.">
          Your order is kept; new cases come last. Save it again to replace the present order.
        </Notice>
      )}
      <Trouble problem={action.problem} />
      <div class="dialog-buttons is-sticky">
        <button type="button" onClick={onDone}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={action.isBusy || !isChanged} onClick={save}>
          Save order
        </button>
      </div>
    </section>
  );
}

interface ArrowProps {
  readonly name: 'up' | 'down';
  /** Of the case: its arrow up takes the focus when it was moved. */
  readonly id?: string;
  readonly label: string;
  readonly isOff: boolean;
  readonly go: (by: number) => void;
}

function OneArrow({ name, id, label, isOff, go }: ArrowProps): JSX.Element {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    go(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <button
      type="button"
      class="quiet"
      data-id={id}
      aria-label={label}
      aria-disabled={isOff}
      onKeyDown={press}
      onClick={() => go(name === 'up' ? -1 : 1)}
    >
      <Icon name={name} />
    </button>
  );
}
