import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from '../../../gate/report/numbers.ts';
import type { Case } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { scorerForm } from '../../kit/form/forms.ts';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { useScorer } from './data.ts';

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Asked for when it is unfolded. */
function JudgedBy({ project, scorer }: { readonly project: string; readonly scorer: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { data, problem, reload } = useScorer(isOpen ? scorer : undefined);
  return (
    <details class="further" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How it is judged</summary>
      {problem?.code === 'NOT_FOUND' ? (
        <p>Its scorer was deleted: edit the case, and choose another one.</p>
      ) : (
        <Trouble problem={problem} retry={reload} />
      )}
      {isOpen && !data && !problem && <Loading what="the scorer" />}
      {data && (
        <div class="stack">
          <p>
            <a href={to.scorer(project, data.key)}>
              <Foreign text={data.name} />
            </a>
            : {scorerForm(data.type).hint}
          </p>
          <Excerpt label="Config" text={JSON.stringify(data.config, null, 2)} />
        </div>
      )}
    </details>
  );
}

const shownValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** What a case says, and how it counts. */
export function Content({ project, found }: { readonly project: string; readonly found: Case }): JSX.Element {
  const { advisory, description, expected, examples, tags } = found;
  return (
    <section class="stack">
      {description && (
        <p>
          <Foreign text={description} />
        </p>
      )}
      <dl class="pairs is-compact">
        <Fact name="Counts">
          {found.is_active ? 'active' : 'inactive: it is in no run'}
          {found.must_pass && ', must pass'}
        </Fact>
        <Fact name="Threshold">{found.threshold}</Fact>
        <Fact name="Weight">{found.weight}</Fact>
        {tags.length > 0 && (
          <Fact name="Tags">
            <Foreign text={tags.join(', ')} />
          </Fact>
        )}
        {found.sample_count > 1 && (
          <Fact name="Outputs">
            {found.sample_count}, of which {found.sample_pass_rate} has to pass
          </Fact>
        )}
        <Fact name="Changed">
          <Time at={found.updated_at} />
        </Fact>
        {advisory && (
          <Fact name="Advisory">
            until <Time at={advisory.expires_at} />: <Foreign text={advisory.reason} /> (
            <Foreign text={advisory.owner} />)
          </Fact>
        )}
      </dl>
      <div class="columns">
        <Excerpt label="Input" text={shownValue(found.input)} />
        {expected === null ? (
          <p class="muted">It expects nothing: its scorer needs none.</p>
        ) : (
          <Excerpt label="Expected" text={shownValue(expected)} />
        )}
      </div>
      {examples.fail.length + examples.pass.length > 0 && (
        <details class="further">
          <summary>
            {counted(examples.fail.length, 'answer')} that it has to fail, {examples.pass.length} that it has
            to pass
          </summary>
          <div class="columns">
            {examples.fail.map((answer) => (
              <Excerpt key={answer} label="Has to fail" text={answer} />
            ))}
            {examples.pass.map((answer) => (
              <Excerpt key={answer} label="Has to pass" text={answer} />
            ))}
          </div>
        </details>
      )}
      <JudgedBy project={project} scorer={found.scorer_id} />
    </section>
  );
}
