import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Evalgate } from '../../sdk/index.ts';
import { type Again, type Answer, type Ask, Entry, type Question } from './entry.ts';
import { notOurs, type Problem, problemOf } from './problems.ts';
import { withSession } from './reauthentication.ts';
import { account, sdk } from './session.ts';

/** More answers that no page shows are dropped. */
const UNUSED_MAX = 60;

const entries = new Map<string, Entry<unknown>>();

function entryOf<T>(key: string, question: Question<T>): Entry<T> {
  const known = entries.get(key) as Entry<T> | undefined;
  if (known) return known;
  const unused = [...entries].filter(([, entry]) => !entry.isUsed);
  for (const [name] of unused.slice(0, Math.max(0, unused.length - UNUSED_MAX))) entries.delete(name);
  const entry = new Entry(question);
  entries.set(key, entry as Entry<unknown>);
  return entry;
}

export interface Query<T> extends Answer<T> {
  /** Asks at once. */
  readonly reload: () => void;
}

const NOTHING: Answer<never> = {};

/**
 * The answer of a key, asked for while it is shown. The key names what is asked, such as `runs/<id>/results?page=2`;
 * undefined: nothing is asked.
 */
export function useAnswer<T>(key: string | undefined, ask: Ask<T>, again?: Again<T>): Query<T> {
  const question = { ask, again };
  const entry = key === undefined ? undefined : entryOf(key, question);
  // The key says what is asked.
  useEffect(() => entry?.use(question), [entry]);
  return { ...(entry?.answer.value ?? NOTHING), reload: () => entry?.load() };
}

/** What is known of these answers is no longer true: those that are shown are asked for again. */
export function forget(...prefixes: readonly string[]): void {
  for (const [key, entry] of entries) {
    if (!prefixes.some((prefix) => key.startsWith(prefix))) continue;
    if (entry.isUsed) entry.load();
    else entries.delete(key);
  }
}

// Before pages of another account are shown.
account.subscribe(() => entries.clear());

/** Writes, then drops the answers that it touched, by the beginnings of their keys. */
export async function write<T>(
  act: (sdk: Evalgate) => Promise<T>,
  ...touched: readonly string[]
): Promise<T> {
  const written = await withSession(() => act(sdk));
  forget(...touched);
  return written;
}

/**
 * Deletes what the page shows, which is left at once: answers that this touched are dropped, and nothing asks for what is
 * gone.
 */
export async function erase(
  act: (sdk: Evalgate) => Promise<unknown>,
  ...touched: readonly string[]
): Promise<void> {
  await withSession(() => act(sdk));
  for (const key of [...entries.keys()].filter((one) => touched.some((prefix) => one.startsWith(prefix))))
    entries.delete(key);
}

export interface Action {
  readonly isBusy: boolean;
  readonly problem: Problem | undefined;
  /** Does it, unless it is under way: a double click acts once. True when it succeeded. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly clear: () => void;
}

/** A submit: whether it is under way, and what became of it. */
export function useAction(): Action {
  const [state] = useState(() => ({
    isBusy: signal(false),
    problem: signal<Problem | undefined>(undefined),
  }));
  const { isBusy, problem } = state;
  return {
    isBusy: isBusy.value,
    problem: problem.value,
    clear: () => {
      problem.value = undefined;
    },
    async run(act) {
      if (isBusy.peek()) return false;
      isBusy.value = true;
      problem.value = undefined;
      try {
        await act();
        return true;
      } catch (error) {
        problem.value = problemOf(error);
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

/** An answer that has this field. What lacks it came from something else than the service. */
export async function ours<T extends object>(query: Promise<T>, field: keyof T): Promise<T> {
  const answer = (await query) as T | null;
  if (answer?.[field] === undefined) throw notOurs();
  return answer;
}

/** One page of a list. What is no page came from something else than the service. */
export async function pageOf<T>(list: { page(): Promise<T> }): Promise<T> {
  const page = await list.page();
  if (Array.isArray((page as { readonly data?: unknown } | null)?.data)) return page;
  throw notOurs();
}
