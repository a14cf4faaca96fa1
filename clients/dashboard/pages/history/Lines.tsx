import type { JSX } from 'preact';
import type { Words } from '../../../gate/report/words.ts';
import { Sentence } from '../../parts/Words.tsx';

/** `~ suite  pass_threshold 0.9 → 0.85`, a line each. */
export function Lines({ lines }: { readonly lines: readonly Words[] }): JSX.Element {
  return (
    <ul class="lines">
      {lines.map((words, index) => (
        <li key={`${index}`}>
          <Sentence words={words} />
        </li>
      ))}
    </ul>
  );
}
