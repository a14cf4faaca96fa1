import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ruleSentence, rulesIn } from '../../../gate/report/rules.ts';
import type { Scorer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { erase, pageOf, useAnswer } from '../../kit/api.ts';
import { scorerForm } from '../../kit/form/forms.ts';
import { navigate, type PageProps } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Confirm } from '../../parts/Confirm.tsx';
import { crumbsTo } from '../../parts/crumbs.ts';
import { Excerpt } from '../../parts/Excerpt.tsx';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { scorersKey } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { EditScorer } from './EditScorer.tsx';
import { Try } from './Try.tsx';

type Mode = 'edit' | 'delete' | undefined;

/** Null: the project has none with this key. */
const useScorer = (project: string, key: string) =>
  useAnswer<Scorer | null>(
    `${scorersKey(project)}?key=${encodeURIComponent(key)}`,
    async (sdk, options) => (await pageOf(sdk.scorers.list(project, { key }, options))).data[0] ?? null,
  );

/** What outputs are measured by: its config, and a try. */
export function Page({ params: { project = '', scorer: key = '' } }: PageProps): JSX.Element {
  const { data: scorer, problem, reload } = useScorer(project, key);
  const [mode, setMode] = useState<Mode>();
  const edited = (now: string) => {
    setMode(undefined);
    if (now !== key) navigate(to.scorer(project, now), { replaces: true });
  };
  return (
    <>
      <Heading
        title={scorer?.name ?? key}
        tab={`Scorer ${scorer?.name ?? key}`}
        beside={scorer && <span class="muted">{scorerForm(scorer.type).label}</span>}
        crumbs={crumbsTo(project)}
        actions={scorer && may.value.edit && mode !== 'edit' ? <Actions onMode={setMode} /> : undefined}
      />
      <Trouble problem={problem} retry={reload} />
      {scorer === undefined && !problem && <Loading what="the scorer" />}
      {scorer === null && (
        <Empty title="This project has no scorer with this key">
          It was deleted, or has another key by now. <a href={to.project(project)}>All scorers</a>
        </Empty>
      )}
      {scorer && mode === 'edit' && <EditScorer {...{ project, scorer }} onDone={edited} />}
      {scorer && mode !== 'edit' && <Shown scorer={scorer} />}
      {scorer && mode !== 'edit' && may.value.edit && <Try key={scorer.version} scorer={scorer} />}
      {scorer && mode === 'delete' && <Delete {...{ project, scorer }} onClose={() => setMode(undefined)} />}
    </>
  );
}

function Actions({ onMode }: { readonly onMode: (mode: Mode) => void }): JSX.Element {
  return (
    <>
      <button type="button" class="quiet" onClick={() => onMode('delete')}>
        Delete
      </button>
      <button type="button" onClick={() => onMode('edit')}>
        Edit
      </button>
    </>
  );
}

function Shown({ scorer }: { readonly scorer: Scorer }): JSX.Element {
  const { type, config, key, dual_sided, precision_threshold, recall_threshold, updated_at } = scorer;
  const bounds = [
    ...(precision_threshold === null ? [] : [`precision at least ${precision_threshold}`]),
    ...(recall_threshold === null ? [] : [`recall at least ${recall_threshold}`]),
  ];
  return (
    <section class="stack">
      <p>{scorerForm(type).hint}</p>
      <dl class="pairs is-compact">
        <div>
          <dt>Key</dt>
          <dd>
            <code>
              <Foreign text={key} />
            </code>
          </dd>
        </div>
        {dual_sided && (
          <div>
            <dt>Precision and recall</dt>
            <dd>{bounds.join(', ') || 'measured, without bounds'}</dd>
          </div>
        )}
        <div>
          <dt>Changed</dt>
          <dd>
            <Time at={updated_at} />
          </dd>
        </div>
      </dl>
      {rulesIn(config).length > 0 && (
        <ul>
          {rulesIn(config).map((rule) => (
            <li key={rule.name}>
              <Foreign text={`${rule.name}: ${ruleSentence(rule)}`} />
            </li>
          ))}
        </ul>
      )}
      <Excerpt label="Config" text={JSON.stringify(config, null, 2)} />
    </section>
  );
}

interface DeleteProps {
  readonly project: string;
  readonly scorer: Scorer;
  readonly onClose: () => void;
}

function Delete({ project, scorer, onClose }: DeleteProps): JSX.Element {
  const act = async () => {
    await erase((sdk) => sdk.scorers.delete(scorer.id), scorersKey(project));
    navigate(to.project(project), { replaces: true });
  };
  return (
    <Confirm title="Delete this scorer?" verb="Delete" isDangerous act={act} onClose={onClose}>
      <p>Cases that use it cannot be judged until they get another one: their runs are not cleared.</p>
    </Confirm>
  );
}
