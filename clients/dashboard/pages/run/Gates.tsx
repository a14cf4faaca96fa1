import type { JSX } from 'preact';
import { gateFigures } from '../../../gate/report/summary.ts';
import type { Report } from '../../../gate/report/types.ts';
import { State } from '../../parts/Verdict.tsx';
import { Foreign, Sentence } from '../../parts/Words.tsx';

const STATES = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  not_applicable: 'advisory',
} as const;

/** Every gate with what it saw and what it wants; those that decided come first. */
export function Gates({ report }: { readonly report: Report }): JSX.Element | null {
  const { gates = [], decided_by: deciding = [] } = report.run.verdict ?? {};
  if (gates.length === 0) return null;
  const rank = (gate: string): number => (deciding.includes(gate) ? 0 : 1);
  const ordered = gates.toSorted((one, other) => rank(one.gate) - rank(other.gate));
  return (
    <section class="gates" aria-label="Gates">
      {ordered.map((gate) => (
        <div key={gate.gate} class={`gate ${deciding.includes(gate.gate) ? 'is-deciding' : ''}`}>
          <code>
            <Foreign text={gate.gate} />
          </code>
          {gate.status === 'not_applicable' ? (
            <span class="state is-calm">not applicable</span>
          ) : (
            <State state={STATES[gate.status]} />
          )}
          <span class="gate-figures">
            <Sentence words={gateFigures(gate, report)} />
            {gate.reason && (
              <span class="muted">
                {' '}
                (<Foreign text={gate.reason} />)
              </span>
            )}
          </span>
        </div>
      ))}
    </section>
  );
}
