import { batch } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { to } from '../kit/addresses.ts';
import { useAction } from '../kit/api.ts';
import { giveUpTyped, mayLeave } from '../kit/leave.ts';
import { type Problem, problemOf } from '../kit/problems.ts';
import { openQuestion } from '../kit/reauthentication.ts';
import { address, navigate } from '../kit/router.ts';
import { account, may, person, readWhoami, signIn, signOut, whoami } from '../kit/session.ts';
import { Loading, Notice, Trouble } from '../parts/Notice.tsx';
import { Heading, type Link, Shell } from '../parts/Shell.tsx';
import { Time } from '../parts/Time.tsx';
import { Foreign } from '../parts/Words.tsx';
import { PersonAgain, Reauthenticate } from './Reauthenticate.tsx';
import { type RouteMatch, routeOf } from './routes.ts';

const NO_PAGE = 'There is no page at this address.';

/** The page's chunk; undefined while it loads. */
function usePage(match: RouteMatch | undefined) {
  const [state, setState] = useState<{
    load?: unknown;
    Page?: Awaited<ReturnType<RouteMatch['route']['load']>>['Page'];
  }>({});
  const [problem, setProblem] = useState<Problem>();
  const [tries, setTries] = useState(0);
  const load = match?.route.load;
  const retry = () => setTries((before) => before + 1);
  useEffect(() => {
    if (!load) return;
    let isCurrent = true;
    setProblem(undefined);
    load().then(
      ({ Page }) => isCurrent && setState({ load, Page }),
      (error) => isCurrent && setProblem(problemOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [load, tries]);
  return { Page: state.load === load ? state.Page : undefined, problem, retry };
}

interface FailedProps {
  readonly title: string;
  readonly problem: Problem;
  readonly retry: () => void;
}

/** In place of the page. It goes on by itself when the time for it comes, or the connection is back. */
function Failed({ title, problem, retry }: FailedProps): JSX.Element {
  useEffect(() => {
    const { againAtMs } = problem;
    const timer = againAtMs === undefined ? undefined : setTimeout(retry, againAtMs - Date.now());
    addEventListener('online', retry);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', retry);
    };
  }, [problem]);
  return (
    <>
      <Heading title={title} />
      <Trouble problem={problem} retry={retry} />
    </>
  );
}

/** The page of the address, or what keeps it from being shown. */
function Content({ match }: { readonly match: RouteMatch | undefined }): JSX.Element {
  const { Page, problem, retry } = usePage(match);
  const [error] = useErrorBoundary((thrown) => console.error(thrown));
  if (error)
    return <Failed title="This page failed" problem={problemOf(error)} retry={() => location.reload()} />;
  if (problem) return <Failed title="This page did not load" problem={problem} retry={retry} />;
  if (!match) {
    return (
      <>
        <Heading title="No page here" />
        <Notice>
          {NO_PAGE} <a href={to.home}>Go to the projects</a>
        </Notice>
      </>
    );
  }
  return Page ? <Page params={match.params} /> : <Loading what="the page" />;
}

function linksAt(path: string): readonly Link[] {
  const { browse, administrate, seeUsage } = may.value;
  const usage = to.settings('usage');
  const isSettings = path.startsWith('/app/settings') && path !== usage;
  return [
    { href: to.home, text: browse ? 'Projects' : 'Runs', isCurrent: path === to.home },
    ...(browse && seeUsage ? [{ href: usage, text: 'Usage', isCurrent: path === usage }] : []),
    ...(administrate && seeUsage
      ? [{ href: to.settings('keys'), text: 'Settings', isCurrent: isSettings }]
      : []),
  ];
}

const ALL_SESSIONS = 'Ends all your sessions: in every browser, and of your command lines.';

function GuideLink({ guide = 'dashboard' }: { readonly guide: string | undefined }): JSX.Element {
  return (
    <a href={`/guides#${guide}`} target="_blank" rel="noreferrer">
      Guide
    </a>
  );
}

/** `guide`: the one of the page. */
function Account({ guide }: { readonly guide: string | undefined }): JSX.Element {
  const action = useAction();
  const { organisation, scope, project } = whoami.value ?? {};
  const leave = () => {
    if (!mayLeave()) return;
    void action.run(async () => {
      await signOut();
      giveUpTyped();
      // At once: no page of a session is left to be signed in for.
      batch(() => {
        navigate(to.signIn());
        whoami.value = null;
      });
    });
  };
  return (
    <>
      <GuideLink guide={guide} />
      {action.problem && <span class="field-problem">Not signed out: {action.problem.words}</span>}
      <span class="who muted">
        {person.value && (
          <>
            <Foreign text={person.value.label} /> ·{' '}
          </>
        )}
        <Foreign text={project?.name ?? organisation?.name ?? ''} /> ({scope})
      </span>
      <button
        type="button"
        class="quiet"
        title={person.value ? ALL_SESSIONS : undefined}
        disabled={action.isBusy}
        onClick={leave}
      >
        Sign out
      </button>
    </>
  );
}

/** On every page: why runs and changes are refused. */
function BeingDeleted(): JSX.Element | null {
  const deletesAt = whoami.value?.organisation.deletes_at;
  if (deletesAt === undefined) return null;
  return (
    <Notice tone="warning" title="This organisation is being deleted.">
      Runs and changes are refused. Until <Time at={deletesAt} />{' '}
      {may.value.administrate ? (
        <a href={to.settings('usage')}>you can take that back</a>
      ) : (
        'scope full can take that back'
      )}
      .
    </Notice>
  );
}

/** Signs in again over the page. */
function SignInAgain(): JSX.Element | null {
  const question = openQuestion.value;
  if (!question) return null;
  const { reason, settle } = question;
  const signInAgain = async (key: string) => {
    await signIn(key);
    settle(true);
  };
  const cancel = () => {
    settle(false);
    if (reason === 'ended') whoami.value = null;
  };
  const organisation = person.value && whoami.value?.organisation.id;
  return organisation ? (
    <PersonAgain {...{ reason, organisation }} onCancel={cancel} />
  ) : (
    <Reauthenticate reason={reason} onKey={signInAgain} onCancel={cancel} />
  );
}

/** Asks who is signed in, once a tab. */
function useSession(): { readonly problem: Problem | undefined; readonly retry: () => void } {
  const [problem, setProblem] = useState<Problem>();
  const ask = () => {
    setProblem(undefined);
    readWhoami().catch((error) => setProblem(problemOf(error)));
  };
  useEffect(ask, []);
  return { problem, retry: ask };
}

let organisation: string | undefined;
// An address of one organisation, and what is typed there, is nothing of another one that signed in over it or beside it.
whoami.subscribe((who) => {
  const before = organisation;
  organisation = who?.organisation.id;
  if (!before || !organisation || before === organisation) return;
  giveUpTyped();
  navigate(to.home, { replaces: true });
});

export function App(): JSX.Element {
  const { path, query } = address.value;
  const match = routeOf(path);
  const { problem, retry } = useSession();
  const who = whoami.value;
  const mustSignIn = who === null && match?.route.isPublic !== true;
  useEffect(() => {
    if (!mustSignIn) return;
    const next = path + (query.size === 0 ? '' : `?${query}`);
    navigate(to.signIn(next === to.home ? undefined : next), { replaces: true });
  }, [mustSignIn, path, query]);

  if (problem) {
    return (
      <main>
        <Failed title="evalgate" problem={problem} retry={retry} />
      </main>
    );
  }
  if (who === undefined || mustSignIn) return <main class="loading" />;
  // What is open or typed on a page is about what its address names, and of who is signed in.
  const content = <Content key={`${account.value} ${path}`} match={match} />;
  if (who === null) {
    return (
      <main class="narrow">
        {content}
        <p class="hint">
          <GuideLink guide={match?.route.guide} />
        </p>
      </main>
    );
  }
  return (
    <>
      <Shell home={to.home} links={linksAt(path)} account={<Account guide={match?.route.guide} />}>
        <BeingDeleted />
        {content}
      </Shell>
      <SignInAgain />
    </>
  );
}
