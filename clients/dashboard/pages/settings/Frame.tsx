import type { ComponentChildren, JSX } from 'preact';
import { to } from '../../kit/addresses.ts';
import { may } from '../../kit/session.ts';
import { Empty } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { Tabs } from '../../parts/Tabs.tsx';

const PARTS = {
  usage: 'Usage and plan',
  keys: 'API keys',
  byok: 'Provider keys',
  issuers: 'Trusted issuers',
} as const;
export type Part = keyof typeof PARTS;

/** Usage for who reads its organisation; the others for who manages it. */
export const maySee = (part: Part): boolean => {
  const { browse, administrate, seeUsage } = may.value;
  return seeUsage && (part === 'usage' ? browse : administrate);
};

interface Props {
  readonly part: Part;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What stands around the pages of the settings. */
export function Frame({ part, actions, children }: Props): JSX.Element {
  const parts = (Object.keys(PARTS) as Part[]).filter(maySee);
  return (
    <>
      <Heading title={PARTS[part]} actions={maySee(part) ? actions : undefined} />
      {parts.length > 1 && (
        <Tabs
          label="Settings"
          tabs={parts.map((one) => ({ href: to.settings(one), text: PARTS[one], isCurrent: one === part }))}
        />
      )}
      {maySee(part) ? (
        children
      ) : (
        <Empty title="Not for this key">
          Sign in with a key of scope <code>{part === 'usage' ? 'read' : 'full'}</code> that is bound to no
          project.
        </Empty>
      )}
    </>
  );
}
