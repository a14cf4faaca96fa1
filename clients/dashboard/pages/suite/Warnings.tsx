import type { JSX } from 'preact';
import { warningWords } from '../../../gate/report/plan.ts';
import { Notice } from '../../parts/Notice.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { Sentence } from '../../parts/Words.tsx';
import { type BarWarning, useWarnings } from './data.ts';

/** What the suite's bar would let through, and what can't pass it. */
export function Warnings({ suite }: Pick<SuiteProps, 'suite'>): JSX.Element | null {
  const allWarnings = useWarnings(suite.id).data?.warnings ?? [];
  const warnings = allWarnings.filter(({ code }) => code !== 'CONSTANT_CLEARS');
  const constants = allWarnings.filter(({ code }) => code === 'CONSTANT_CLEARS');
  if (allWarnings.length === 0) return null;
  const [tone, title] =
    warnings.length > 0 ? (['warning', 'Look at this bar.'] as const) : (['info', undefined] as const);
  return (
    <Notice tone={tone} {...(title && { title })}>
      {warnings.length > 0 && <List warnings={warnings} />}
      {constants.length > 0 && (
        <details class="more">
          <summary>Fixed answers that it clears</summary>
          <List warnings={constants} />
        </details>
      )}
    </Notice>
  );
}

function List({ warnings }: { readonly warnings: readonly BarWarning[] }): JSX.Element {
  return (
    <ul>
      {warnings.map((warning) => (
        <li key={warning.message}>
          <Sentence words={warningWords(warning, { hidesValues: false })} />
        </li>
      ))}
    </ul>
  );
}
