import type { JSX } from 'preact';
import type { BillingUsageAnswer } from '../../../../sdk/index.ts';
import { to } from '../../../kit/addresses.ts';
import { ours, useAction, useAnswer, write } from '../../../kit/api.ts';
import { address } from '../../../kit/router.ts';
import { may, readOffers } from '../../../kit/session.ts';
import { Loading, Notice, Trouble } from '../../../parts/Notice.tsx';
import { grouped } from '../../../parts/Pager.tsx';
import { type Column, Table } from '../../../parts/Table.tsx';
import { Foreign } from '../../../parts/Words.tsx';
import { Frame, maySee } from '../Frame.tsx';
import { Deletion } from './Deletion.tsx';

const PAID = { pro: 'Pro', scale: 'Scale' } as const;

/** The plan, what it was used for this month, and the ways to another one. */
export function Page(): JSX.Element {
  const isSeen = maySee('usage');
  const { data, problem, reload } = useAnswer(isSeen ? 'billing/usage' : undefined, (sdk, options) =>
    ours(sdk.billing.usage(options), 'plan'),
  );
  return (
    <Frame part="usage">
      <Trouble problem={problem} retry={reload} />
      {data && address.value.query.has('paid') && (
        <Notice tone="info" title="Thank you.">
          {address.value.query.get('paid') === data.plan
            ? `The plan is ${data.plan_name} now.`
            : 'The plan changes when the payment is confirmed: reload this page in a moment.'}
        </Notice>
      )}
      {!data && !problem && <Loading what="usage" />}
      {data && <Usage usage={data} />}
      {data && data.by_project.length > 0 && <ByProject projects={data.by_project} />}
      {data && may.value.administrate && <Plan usage={data} />}
      {data && may.value.administrate && <Deletion />}
    </Frame>
  );
}

const isUnlimited = ({ monthly_limit }: BillingUsageAnswer): boolean => monthly_limit < 0;

function Usage({ usage }: { readonly usage: BillingUsageAnswer }): JSX.Element {
  const { plan, plan_name, monthly_limit, current_usage, usage_percentage, retention_days, limits } = usage;
  const isOver = !isUnlimited(usage) && current_usage >= monthly_limit;
  return (
    <section class="card is-form">
      <p class="large">
        {grouped(current_usage)}
        {!isUnlimited(usage) && <span class="muted"> of {grouped(monthly_limit)}</span>} runs this month
      </p>
      {!isUnlimited(usage) && (
        <>
          <meter
            aria-label="Runs used this month"
            max={monthly_limit}
            high={monthly_limit * 0.9}
            value={current_usage}
          />
          <p class="muted">{usage_percentage} %</p>
        </>
      )}
      {isOver && (
        <Notice tone="warning">
          {plan === 'free'
            ? 'Further runs are refused until the month is over: CI stops. Take a larger plan.'
            : 'Further runs are billed one by one.'}
        </Notice>
      )}
      <p>
        Plan <strong>{plan_name}</strong>. Runs are kept for {retention_days} days. At most{' '}
        {grouped(limits.api_keys)} API keys.
      </p>
    </section>
  );
}

type ProjectUsage = BillingUsageAnswer['by_project'][number];

const COLUMNS: readonly Column<ProjectUsage>[] = [
  {
    head: 'Project',
    kind: 'main',
    cell: ({ project_id: id, slug, name, is_deleted }) =>
      slug && !is_deleted ? (
        <a href={to.project(slug)}>
          <Foreign text={name ?? slug} />
        </a>
      ) : (
        <>
          <Foreign text={name ?? id ?? 'Outside of projects'} />
          {is_deleted && <span class="case-name">deleted</span>}
        </>
      ),
  },
  { head: 'Runs this month', kind: 'number', cell: ({ runs }) => grouped(runs) },
];

function ByProject({ projects }: { readonly projects: readonly ProjectUsage[] }): JSX.Element {
  return (
    <section class="section">
      <h2>By project</h2>
      <Table
        caption="Runs of this month by project"
        rows={projects}
        keyOf={({ project_id }) => project_id ?? ''}
        columns={COLUMNS}
      />
    </section>
  );
}

/** Only an address that a browser opens: the answer is the payment provider's. */
function leaveTo(url: string): void {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) location.assign(url);
}

function Plan({ usage: { plan } }: { readonly usage: BillingUsageAnswer }): JSX.Element | null {
  const action = useAction();
  const { data: offers, problem } = useAnswer('app.json', (_, { signal }) => readOffers(signal));
  if (problem) return <Trouble problem={problem} />;
  if (offers?.payments === 'off') return <p class="hint">The operator of this service sets the plan.</p>;
  if (!offers || plan === 'enterprise') return null;
  const here = location.origin + to.settings('usage');
  const buy = (next: keyof typeof PAID) =>
    action.run(async () => {
      const body = { plan: next, success_url: `${here}?paid=${next}`, cancel_url: here };
      leaveTo((await write((sdk) => sdk.billing.checkout(body))).checkout_url);
    });
  const manage = () =>
    action.run(async () => leaveTo((await write((sdk) => sdk.billing.portal())).portal_url));
  return (
    <section class="section">
      <h2>Another plan</h2>
      <Trouble problem={action.problem} />
      <div class="buttons">
        {(Object.keys(PAID) as (keyof typeof PAID)[])
          .filter((next) => next !== plan)
          .map((next) => (
            <button key={next} type="button" disabled={action.isBusy} onClick={() => void buy(next)}>
              {plan === 'scale' ? 'Move' : 'Upgrade'} to {PAID[next]}
            </button>
          ))}
        {plan !== 'free' && (
          <button type="button" disabled={action.isBusy} onClick={() => void manage()}>
            Subscription and invoices
          </button>
        )}
      </div>
      <p class="hint">Both lead to the payment provider, and back here.</p>
    </section>
  );
}
