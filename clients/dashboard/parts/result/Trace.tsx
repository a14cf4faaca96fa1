import type { JSX } from 'preact';
import type { RunResult } from '../../../sdk/index.ts';
import { Excerpt } from '../Excerpt.tsx';
import { Foreign } from '../Words.tsx';
import { type Call, callsOf, isWholeTrace, type Marks, marksOf } from './trace.ts';

function marksAt({ place, hasFailed, isParallel }: Call, { forbidden, surplus, outOfOrder }: Marks) {
  const bad = (word: string) => <span class="state is-bad">{word}</span>;
  return (
    <>
      {forbidden.has(place) && bad('forbidden')}
      {surplus.has(place) && !forbidden.has(place) && bad('surplus')}
      {outOfOrder === place && bad('out of order')}
      {hasFailed && <span class="state is-doubt">failed</span>}
      {isParallel && <span class="hint">at once with the one before</span>}
    </>
  );
}

/** The calls of tools that an agent made, with what was forbidden, surplus and missing. */
export function Trace({ result }: { readonly result: RunResult }): JSX.Element | null {
  const { trace_excerpt: excerpt, cut } = result;
  const marks = marksOf(result);
  if (excerpt === undefined) return marks.missing.length > 0 ? <Missing marks={marks} /> : null;
  const calls = callsOf(excerpt);
  if (calls === undefined || !isWholeTrace(calls, result)) {
    return (
      <>
        <Excerpt label="Calls of tools" text={excerpt} isCut={cut === true} />
        <Missing marks={marks} />
      </>
    );
  }
  return (
    <div class="excerpt">
      <p class="caption">Calls of tools</p>
      {calls.length === 0 && <p class="muted">No tool was called.</p>}
      <ol class="calls">
        {calls.map((call) => (
          <li key={call.place}>
            <code>
              <strong>
                <Foreign text={call.tool} />
              </strong>{' '}
              <Foreign text={call.args} />
            </code>{' '}
            {marksAt(call, marks)}
          </li>
        ))}
      </ol>
      <Missing marks={marks} />
    </div>
  );
}

function Missing({ marks: { missing } }: { readonly marks: Marks }): JSX.Element | null {
  if (missing.length === 0) return null;
  return (
    <ul class="calls" aria-label="Calls that were not made">
      {missing.map(({ tool, times }) => (
        <li key={tool}>
          <code>
            <strong>
              <Foreign text={tool} />
            </strong>
          </code>{' '}
          <span class="state is-bad">missing</span>
          {times > 1 && <span class="hint"> {times} times</span>}
        </li>
      ))}
    </ul>
  );
}
