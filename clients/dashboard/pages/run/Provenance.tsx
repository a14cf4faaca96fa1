import type { JSX } from 'preact';
import { judgeUsageText } from '../../../gate/report/judgeUsage.ts';
import { credentialWords } from '../../../gate/report/review/credential.ts';
import type { Run } from '../../../sdk/index.ts';
import { Copy, Snippet } from '../../parts/Copy.tsx';
import { Fact } from '../../parts/Fact.tsx';
import { factsOf } from '../../parts/runs/links.ts';
import { FactText } from '../../parts/runs/Origin.tsx';
import { Time } from '../../parts/Time.tsx';
import { Sentence } from '../../parts/Words.tsx';
import { areHidden } from './data.ts';
import { commandOf } from './exports.ts';
import { durationIn, type View } from './view.ts';

const DIGEST_SHOWN = 15;

function Digest({ digest }: { readonly digest: string }): JSX.Element {
  return (
    <>
      <code title={digest}>{digest.slice(0, DIGEST_SHOWN)}…</code>
      <Copy text={digest} label="Copy digest" isSmall />
    </>
  );
}

/** Where the run comes from and its id; folded, what judged it, and the command that shows the same. */
export function Provenance({ run, view }: { readonly run: Run; readonly view: View }): JSX.Element {
  return (
    <section class="provenance" aria-labelledby="provenance">
      <h2 id="provenance">Where it comes from</h2>
      <dl class="pairs">
        {factsOf(run).map((fact) => (
          <Fact key={fact.name} name={fact.isUnverified ? `${fact.name} (not verified)` : fact.name}>
            <FactText fact={fact} />
          </Fact>
        ))}
        <Fact name="By">
          <Sentence words={credentialWords(run.created_by)} />
        </Fact>
        <Fact name="Started">
          <Time at={run.created_at} />
        </Fact>
        <Fact name="Run">
          <code>{run.id}</code>
          <Copy text={run.id} label="Copy id" isSmall />
        </Fact>
      </dl>
      <Details run={run} view={view} />
    </section>
  );
}

function Details({ run, view }: { readonly run: Run; readonly view: View }): JSX.Element {
  const judges = judgeUsageText(run);
  return (
    <details class="more">
      <summary>Details</summary>
      <dl class="pairs">
        <Fact name="Trigger">{run.trigger.replaceAll('_', ' ')}</Fact>
        {run.completed_at && <Fact name="Took">{durationIn(run.duration_ms)}</Fact>}
        {judges && <Fact name="Judges">{judges}</Fact>}
        {run.suite_digest && (
          <Fact name="Bar">
            <Digest digest={run.suite_digest} />
          </Fact>
        )}
        {run.outputs_digest && (
          <Fact name="Outputs">
            <Digest digest={run.outputs_digest} />
          </Fact>
        )}
      </dl>
      {!areHidden(run) && <Snippet text={commandOf(run.id, view)} label="Copy command" />}
    </details>
  );
}
