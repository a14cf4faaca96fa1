import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import { plain, say, type Words } from '../../../gate/report/words.ts';
import type { Suite } from '../../../sdk/index.ts';
import { may } from '../../kit/session.ts';
import { Foreign, Says } from '../../parts/Words.tsx';
import { sourceOf } from '../project/Suites.tsx';
import type { SuiteProps } from './data.ts';
import { BarForm } from './gates/BarForm.tsx';
import { KEPT } from './gates/fields.ts';

/** What a run has to reach, and the way to change it. */
export function Bar({ project, suite }: SuiteProps): JSX.Element {
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <BarForm project={project} suite={suite} onClose={() => setEditing(false)} />;
  const source = sourceOf(suite);
  return (
    <section class="strip" aria-label="Bar">
      <dl class="strip-facts">
        <div>
          <dt>Pass threshold</dt>
          <dd>
            <strong>{share(suite.pass_threshold)}</strong>
          </dd>
        </div>
        {gateWords(suite).map(([name, words]) => (
          <div key={name}>
            <dt>
              <Foreign text={name} />
            </dt>
            <dd>
              <Says words={words} />
            </dd>
          </div>
        ))}
        <div>
          <dt>Outputs kept</dt>
          <dd>{KEPT[suite.keep_outputs]}</dd>
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

/** The gates beside the pass threshold: what each is called, and what it wants. */
function gateWords({ gates }: Suite): readonly (readonly [string, Words])[] {
  const {
    min_judged_cases,
    min_lower_bound,
    tags = [],
    max_newly_failing,
    regression,
    min_comparable,
  } = gates;
  const some: readonly (readonly [string, Words | undefined])[] = [
    ['Judged cases', min_judged_cases === undefined ? undefined : plain(`at least ${min_judged_cases}`)],
    ['Lower bound', min_lower_bound === undefined ? undefined : plain(share(min_lower_bound))],
    ...tags.map(({ tag, pass_threshold }) => [`Tag ${tag}`, plain(share(pass_threshold))] as const),
    ['Newly failing', max_newly_failing === undefined ? undefined : plain(`at most ${max_newly_failing}`)],
    [
      'Regression',
      regression && say`p ≤ ${String(regression.alpha)} and ${share(regression.min_drop)} lower fails`,
    ],
    ['Comparable', min_comparable === undefined ? undefined : plain(`at least ${share(min_comparable)}`)],
  ];
  return some.flatMap(([name, words]) => (words ? [[name, words] as const] : []));
}
