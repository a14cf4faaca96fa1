import type { JSX } from 'preact';
import { originWords } from '../../../gate/report/review/origin.ts';
import type { Run } from '../../../sdk/index.ts';
import { address, navigate, withQuery } from '../../kit/router.ts';
import type { RunFilter } from '../../parts/runs/data.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { Foreign } from '../../parts/Words.tsx';

/** Which runs the address names. */
export function runFilter(): RunFilter {
  const { query } = address.value;
  const pull_request = query.get('pull') ?? undefined;
  return pull_request === undefined ? { branch: query.get('branch') ?? undefined } : { pull_request };
}

export const filterWords = ({ branch, pull_request }: RunFilter): string | undefined =>
  pull_request === undefined ? branch : `#${pull_request}`;

const addressOf = ({ branch, pull_request }: RunFilter): string =>
  withQuery({ branch, pull: pull_request, of: undefined, page: undefined });

/** Whether the address wants the runs of pull requests only, of those that are loaded. */
export const isOfPulls = (): boolean => address.value.query.get('of') === 'pulls';

const PULL = /^#(\d{1,20})$/;

/** Only the runs of the default branch, of pull requests, or of one that is typed. */
export function RunFilterField({ main }: { readonly main: string }): JSX.Element {
  const filter = runFilter();
  const words = filterWords(filter);
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('of')).trim();
    const pull_request = PULL.exec(text)?.[1];
    navigate(addressOf(pull_request ? { pull_request } : { branch: text }));
  };
  const isAll = words === undefined && !isOfPulls();
  const tabs = [
    { text: main, href: addressOf({ branch: main }), isCurrent: filter.branch === main },
    {
      text: 'Pull requests',
      href: withQuery({ branch: undefined, pull: undefined, page: undefined, of: 'pulls' }),
      isCurrent: isOfPulls(),
    },
    { text: 'All', href: addressOf({}), isCurrent: isAll },
  ];
  return (
    <search class="filters">
      <Tabs label="Runs of" tabs={tabs} />
      <form onSubmit={submit}>
        <input
          key={words}
          type="search"
          class="search"
          name="of"
          aria-label="Branch or pull request"
          placeholder="Branch or #417"
          maxLength={1_024}
          defaultValue={words ?? ''}
        />
      </form>
    </search>
  );
}

/** What a run judged; it leads to all runs of the same. */
export function OriginCell({ run }: { readonly run: Run }): JSX.Element {
  const { branch, pull_request } = run;
  const words = originWords(run);
  if (branch === null && pull_request === null) return <span class="muted">{words || '–'}</span>;
  const filter = pull_request === null ? { branch: branch ?? undefined } : { pull_request };
  return (
    <a href={addressOf(filter)} title="Only the runs of it">
      <Foreign text={words} />
    </a>
  );
}
