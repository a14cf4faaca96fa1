import type { JSX } from 'preact';
import { to } from '../../kit/addresses.ts';
import { address, type PageProps } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { useSuite } from '../../parts/save/data.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { Bars } from './Bars.tsx';
import { Baselines } from './Baselines.tsx';
import { Changes } from './Changes.tsx';
import { Waivers } from './Waivers.tsx';

const TABS = ['changes', 'baselines', 'waivers', 'bars'] as const;
const WORDS = { changes: 'Changes', baselines: 'Baselines', waivers: 'Waivers', bars: 'Bars that judged' };

/** Who moved what of a suite, and what its runs were judged by and compared with. */
export function Page({ params }: PageProps): JSX.Element {
  const { project = '', suite: slug = '' } = params;
  const { data: suite, problem, reload } = useSuite(project, slug);
  const tab = TABS.find((one) => address.value.query.get('tab') === one) ?? 'changes';
  const isMissing = problem?.code === 'NOT_FOUND';
  const crumbs = [
    ...(may.value.browse
      ? [
          { href: to.home, text: 'Projects' },
          { href: to.project(project), text: project },
        ]
      : []),
    { href: to.suite(project, slug), text: suite?.name ?? slug },
  ];
  return (
    <>
      <Heading title={isMissing ? 'No such suite' : 'History'} crumbs={crumbs} />
      <Trouble problem={problem} retry={isMissing ? undefined : reload} />
      {!suite && !problem && <Loading what="the history" />}
      {suite && !isMissing && (
        <>
          <Tabs
            label="History of"
            tabs={TABS.map((name) => ({
              text: WORDS[name],
              href: to.history(project, slug, name === 'changes' ? undefined : name),
              isCurrent: name === tab,
            }))}
          />
          <section class="part" aria-label={WORDS[tab]}>
            {tab === 'changes' && <Changes project={project} suite={suite} />}
            {tab === 'baselines' && <Baselines project={project} suite={suite} />}
            {tab === 'waivers' && <Waivers suite={suite} />}
            {tab === 'bars' && <Bars project={project} suite={suite} />}
          </section>
        </>
      )}
    </>
  );
}
