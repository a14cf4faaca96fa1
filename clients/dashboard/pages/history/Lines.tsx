import type { ComponentChildren, JSX } from 'preact';
import { toChildArray } from 'preact';
import { counted } from '../../../gate/report/numbers.ts';

const SHOWN = 5;

/** A line each; those beyond the fifth are folded. */
export function Folded({ children }: { readonly children: ComponentChildren }): JSX.Element | null {
  const lines = toChildArray(children);
  const [shown, folded] = [lines.slice(0, SHOWN), lines.slice(SHOWN)];
  if (lines.length === 0) return null;
  return (
    <>
      <List lines={shown} />
      {folded.length > 0 && (
        <details class="more">
          <summary>{counted(folded.length, 'more line')}</summary>
          <List lines={folded} />
        </details>
      )}
    </>
  );
}

function List({ lines }: { readonly lines: readonly ComponentChildren[] }): JSX.Element {
  return (
    <ul class="lines">
      {lines.map((line, index) => (
        <li key={`${index}`}>{line}</li>
      ))}
    </ul>
  );
}
