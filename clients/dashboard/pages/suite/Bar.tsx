import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fieldIn, forms, optionIn } from '../../kit/form/forms.ts';
import { shownFields } from '../../kit/form/shown.ts';
import { may } from '../../kit/session.ts';
import type { SuiteProps } from '../../parts/save/data.ts';
import { sourceOf } from '../../parts/suites/data.ts';
import { Tags } from '../../parts/Verdict.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { BarForm } from './BarForm.tsx';

const PASS_THRESHOLD = fieldIn(forms.suite, 'pass_threshold');
const GATES = fieldIn(forms.suite, 'gates');
const KEPT = fieldIn(forms.suite, 'keep_outputs');

/** What a run has to reach, and the way to change it. */
export function Bar({ project, suite }: SuiteProps): JSX.Element {
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <BarForm project={project} suite={suite} onClose={() => setEditing(false)} />;
  const source = sourceOf(suite);
  return (
    <section class="strip" aria-label="Bar">
      <dl class="strip-facts">
        {shownFields([PASS_THRESHOLD, ...(GATES.fields ?? [])], { ...suite, ...suite.gates }).map(
          ([name, words, tag]) => (
            <div key={`${name} ${tag}`}>
              <dt>
                {name} {tag && <Tags tags={[tag]} />}
              </dt>
              <dd>{name === PASS_THRESHOLD.title ? <strong>{words}</strong> : words}</dd>
            </div>
          ),
        )}
        <div>
          <dt>{KEPT.title}</dt>
          <dd>{optionIn(KEPT, suite.keep_outputs)}</dd>
        </div>
        {source && (
          <div>
            <dt>Pushed from</dt>
            <dd>
              <Foreign text={source} />
            </dd>
          </div>
        )}
      </dl>
      {may.value.edit && (
        <button type="button" onClick={() => setEditing(true)}>
          Edit the bar
        </button>
      )}
    </section>
  );
}
