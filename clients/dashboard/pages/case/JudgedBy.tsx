import type { JSX } from 'preact';
import { ruleSentence, rulesIn } from '../../../gate/report/rules.ts';
import type { Case } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import type { Field } from '../../kit/form/description.ts';
import { scorerForm } from '../../kit/form/forms.ts';
import { shownFields } from '../../kit/form/shown.ts';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { useScorer } from './data.ts';

interface Props {
  readonly project: string;
  readonly evalCase: Case;
}

/** What measures its outputs, and how it counts. */
export function JudgedBy({ project, evalCase }: Props): JSX.Element {
  const { advisory, sample_count: samples } = evalCase;
  const { data: scorer, problem, reload } = useScorer(evalCase.scorer_id);
  const form = scorer && scorerForm(scorer.type);
  const [plain, otherConfig] = parted(form?.fields ?? [], scorer?.config ?? {});
  return (
    <section class="section">
      <h2>How it is judged</h2>
      {problem?.code === 'NOT_FOUND' ? (
        <p>Its scorer was deleted: edit the case, and choose another one.</p>
      ) : (
        <Trouble problem={problem} retry={reload} />
      )}
      {!scorer && !problem && <Loading what="the scorer" />}
      {scorer && form && (
        <p>
          <a href={to.scorer(project, scorer.key)}>
            <Foreign text={scorer.name} />
          </a>
          : {form.hint}
        </p>
      )}
      <dl class="pairs is-compact">
        {form &&
          shownFields(form.fields, plain).map(([name, words]) => (
            <Fact key={name} name={name}>
              <Foreign text={words} />
            </Fact>
          ))}
        <Fact name="Threshold">{evalCase.threshold}</Fact>
        <Fact name="Weight">{evalCase.weight}</Fact>
        {evalCase.must_pass && <Fact name="Must pass">If it fails, the run is aborted.</Fact>}
        {!evalCase.is_active && <Fact name="Inactive">It is in no run.</Fact>}
        {samples > 1 && (
          <Fact name="Outputs">
            {samples}, of which {evalCase.sample_pass_rate} has to pass
          </Fact>
        )}
        {advisory && (
          <Fact name="Advisory">
            until <Time at={advisory.expires_at} />: <Foreign text={advisory.reason} /> (
            <Foreign text={advisory.owner} />)
          </Fact>
        )}
      </dl>
      {rulesIn(otherConfig).length > 0 && (
        <ul>
          {rulesIn(otherConfig).map((rule) => (
            <li key={rule.name}>
              <Foreign text={`${rule.name}: ${ruleSentence(rule)}`} />
            </li>
          ))}
        </ul>
      )}
      {Object.keys(otherConfig).length > 0 && (
        <Excerpt label="Config" text={JSON.stringify(otherConfig, null, 2)} />
      )}
    </section>
  );
}

/** What a line shows, where it is not as it is without it, and what takes JSON. */
function parted(fields: readonly Field[], config: Readonly<Record<string, unknown>>) {
  const absent = new Map(fields.map((field) => [field.name, field.absent]));
  const given = Object.entries(config).filter(
    ([name, value]) => value !== null && value !== absent.get(name),
  );
  const isPlain = ([, value]: readonly [string, unknown]): boolean => typeof value !== 'object';
  return [
    Object.fromEntries(given.filter(isPlain)),
    Object.fromEntries(given.filter((field) => !isPlain(field))),
  ] as const;
}
