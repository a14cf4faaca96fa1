import type { JSX } from 'preact';
import { to } from '../../kit/addresses.ts';
import type { PageProps } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Heading } from '../../parts/Shell.tsx';
import { useSuite } from '../../parts/save/data.ts';
import { Bars } from './Bars.tsx';
import { Baselines } from './Baselines.tsx';
import { Changes } from './Changes.tsx';

/** Who moved what of a suite, and what its runs were judged by and compared with. */
export function Page({ params }: PageProps): JSX.Element {
  const { project = '', suite: slug = '' } = params;
  const { data: suite, problem, reload } = useSuite(project, slug);
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
          <Baselines project={project} suite={suite} />
          <Changes suite={suite} />
          <Bars suite={suite} />
        </>
      )}
    </>
  );
}
