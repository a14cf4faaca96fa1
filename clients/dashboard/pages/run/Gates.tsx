import type { JSX } from 'preact';
import { gateFigures } from '../../../gate/report/summary.ts';
import type { Report } from '../../../gate/report/types.ts';
import { GATE_WORDS } from '../../../sdk/generated/gateWords.ts';
import { State, Tags } from '../../parts/Verdict.tsx';
import { Foreign, Sentence } from '../../parts/Words.tsx';

type Gate = NonNullable<Report['run']['verdict']>['gates'][number];

const STATES = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  not_applicable: 'advisory',
} as const;

const OWN: Readonly<Record<string, string>> = { pass_rate: 'Pass rate', must_pass: 'Cases that must pass' };

const TAG = 'tag:';

/** What people call it, and what it is called in the log of a job. */
function Name({ gate }: Pick<Gate, 'gate'>): JSX.Element {
  const tag = gate.startsWith(TAG) && gate.slice(TAG.length);
  const words = tag ? GATE_WORDS.tags?.label : (OWN[gate] ?? GATE_WORDS[gate]?.label);
  return (
    <span>
      {words && (
        <strong>
          {words} {tag && <Tags tags={[tag]} />}
        </strong>
      )}{' '}
      <code class="muted">
        <Foreign text={gate} />
      </code>
    </span>
  );
}

/** The first case stays on the first screen. */
const WIDE = '(min-width: 40.01rem)';
const OPEN_MAX = 8;

/** What each gate saw and wants, where there are several: those that hold the run up first. */
export function Gates({ report }: { readonly report: Report }): JSX.Element | null {
  const { gates = [], decided_by: deciding = [] } = report.run.verdict ?? {};
  if (gates.length < 2) return null;
  const isHeld = ({ status }: Gate): boolean => status !== 'passed' && status !== 'not_applicable';
  const rank = ({ gate }: Gate): number => (deciding.includes(gate) ? 0 : 1);
  const ordered = gates.toSorted(
    (one, other) => Number(isHeld(other)) - Number(isHeld(one)) || rank(one) - rank(other),
  );
  const held = gates.filter(isHeld).length;
  return (
    <section class="gates" aria-label="Gates">
      <details class="more" open={held > 0 && gates.length <= OPEN_MAX && matchMedia(WIDE).matches}>
        <summary>
          {held > 0 ? `${held} of ${gates.length} gates did not pass` : `${gates.length} gates, none failed`}
        </summary>
        {ordered.map((gate) => (
          <div key={gate.gate} class="gate">
            {gate.status === 'not_applicable' ? (
              <span class="state is-calm">not applicable</span>
            ) : (
              <State state={STATES[gate.status]} />
            )}
            <Name gate={gate.gate} />
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
      </details>
    </section>
  );
}
