import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fieldIn, forms, optionIn } from '../../kit/form/forms.ts';
import { shownFields } from '../../kit/form/shown.ts';
import { may } from '../../kit/session.ts';
import { Fact } from '../../parts/Fact.tsx';
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
        {shownFields([PASS_THRESHOLD, GATES], { ...suite }).map(([name, words, tag]) => (
          <Fact
            key={`${name} ${tag}`}
            name={
              <>
                <Foreign text={name} /> {tag && <Tags tags={[tag]} />}
              </>
            }
          >
            {name === PASS_THRESHOLD.title ? <strong>{words}</strong> : words}
          </Fact>
        ))}
        <Fact name={KEPT.title}>{optionIn(KEPT, suite.keep_outputs)}</Fact>
        {source && (
          <Fact name="Pushed from">
            <Foreign text={source} />
          </Fact>
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
