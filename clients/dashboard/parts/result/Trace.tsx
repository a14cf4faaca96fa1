import type { ComponentChildren, JSX } from 'preact';
import type { RunResult } from '../../../sdk/index.ts';
import { Excerpt } from '../Excerpt.tsx';
import { Foreign } from '../Words.tsx';
import {
  type Call,
  callsOf,
  type ExpectedCall,
  expectedCallsOf,
  isWholeTrace,
  type Marks,
  marksOf,
  misplacedBy,
} from './trace.ts';

const bad = (word: string): JSX.Element => <span class="state is-bad">{word}</span>;

interface ShownCall {
  readonly tool: string;
  readonly args: string;
  /** What is to be said of it. */
  readonly children?: ComponentChildren;
}

const OneCall = ({ tool, args, children }: ShownCall): JSX.Element => (
  <li>
    <code>
      <strong>
        <Foreign text={tool} />
      </strong>{' '}
      <Foreign text={args} />
    </code>{' '}
    {children}
  </li>
);

interface Traced {
  readonly calls: readonly Call[];
  readonly expectedCalls: readonly ExpectedCall[];
  readonly marks: Marks;
}

function OutOfOrder({ calls, expectedCalls, marks: { outOfOrder } }: Traced): JSX.Element {
  const by = misplacedBy(calls, expectedCalls, outOfOrder);
  return (
    <>
      {bad('out of order')}
      {by && (
        <span class="hint">
          {' '}
          {by.word} <Foreign text={by.call.tool} /> (call {by.call.place}), but expected{' '}
          {by.word === 'before' ? 'after' : 'before'} it
        </span>
      )}
    </>
  );
}

function Called({ call, ...traced }: Traced & { readonly call: Call }): JSX.Element {
  const { forbidden, surplus, outOfOrder } = traced.marks;
  const { place, tool, args, hasFailed, isParallel } = call;
  return (
    <OneCall tool={tool} args={args}>
      {forbidden.has(place) && bad('forbidden')}
      {surplus.has(place) && !forbidden.has(place) && outOfOrder !== place && bad('surplus')}
      {outOfOrder === place && <OutOfOrder {...traced} />}
      {hasFailed && <span class="state is-doubt">failed</span>}
      {isParallel && <span class="hint">at once with the one before</span>}
    </OneCall>
  );
}

/** The calls of tools that an agent made beside those that were expected, with what was forbidden, surplus and missing. */
export function Trace({ result }: { readonly result: RunResult }): JSX.Element | null {
  const { trace_excerpt: excerpt, cut, scorer_output } = result;
  const marks = marksOf(result);
  const expectedCalls = expectedCallsOf(result);
  const calls = excerpt === undefined ? undefined : callsOf(excerpt);
  const isWhole = calls !== undefined && isWholeTrace(calls, result);
  if (excerpt === undefined && expectedCalls === undefined) return null;
  return (
    <div class="columns">
      {expectedCalls && (
        <div class="excerpt">
          <p class="caption">Expected calls{scorer_output.order === 'in_order' && ', in this order'}</p>
          <ol class="calls">
            {expectedCalls.map(({ name, tool, args }) => (
              <OneCall key={name} tool={tool} args={args}>
                {marks.outOfOrder === undefined && marks.missing.has(name) && bad('missing')}
              </OneCall>
            ))}
          </ol>
        </div>
      )}
      {excerpt !== undefined && !isWhole && (
        <Excerpt label="Calls of tools" text={excerpt} isCut={cut === true} />
      )}
      {isWhole && (
        <div class="excerpt">
          <p class="caption">Calls of tools</p>
          {calls.length === 0 && <p class="muted">No tool was called.</p>}
          <ol class="calls">
            {calls.map((call) => (
              <Called
                key={call.place}
                call={call}
                calls={calls}
                expectedCalls={expectedCalls ?? []}
                marks={marks}
              />
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
