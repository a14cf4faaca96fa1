import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../kit/api.ts';
import { lastOrganisation, noteBegun, rememberOrganisation } from '../../kit/kept.ts';
import { notOurs, type Problem, problemOf } from '../../kit/problems.ts';
import { type Beginning, beginSignIn } from '../../kit/signIn.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Foreign } from '../../parts/Words.tsx';

/** What begins a sign-in is good for ten minutes: a page that was open for longer begins again. */
const BEGUN_MS_MAX = 5 * 60_000;

interface Asked {
  readonly organisation: string;
  readonly project: string | undefined;
  readonly isFresh: boolean;
}

interface Begun {
  readonly beginning?: Beginning | undefined;
  readonly atMs: number;
  readonly problem?: Problem;
}

/** Undefined while it is asked for; without a beginning there is no sign-in. */
function useBeginning({ organisation, project, isFresh }: Asked) {
  const [begun, setBegun] = useState<Begun>();
  const begin = async (): Promise<Beginning | undefined> => {
    const beginning = await beginSignIn({ organisation, ...(project && { project }), fresh: isFresh });
    if (!beginning && lastOrganisation() === organisation) rememberOrganisation(undefined);
    setBegun({ beginning, atMs: Date.now() });
    return beginning;
  };
  const ask = () => {
    setBegun(undefined);
    begin().catch((error) => setBegun({ atMs: 0, problem: problemOf(error) }));
  };
  useEffect(ask, [organisation, project, isFresh]);
  const againAtMs = begun?.problem?.againAtMs;
  useEffect(() => {
    if (againAtMs === undefined) return;
    const timer = setTimeout(ask, againAtMs - Date.now());
    return () => clearTimeout(timer);
  }, [againAtMs]);
  return { begun, begin, ask };
}

/** The provider's address: nothing but a page of the web. */
function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw notOurs();
  return url;
}

interface Props extends Asked {
  readonly next: string;
  /** The form for a key is open. */
  readonly isByKey: boolean;
  /** The form for a key. */
  readonly children: ComponentChildren;
}

/** The button that leads to the organisation's provider, before the form for a key. */
export function AtProvider({ next, isByKey, children, ...request }: Props): JSX.Element {
  const { begun, begin, ask } = useBeginning(request);
  const action = useAction();
  const { beginning, problem, atMs = 0 } = begun ?? {};
  if (begun && !beginning && !problem) return <>{children}</>;
  const leave = () =>
    action.run(async () => {
      const isOld = Date.now() - atMs > BEGUN_MS_MAX;
      const url = webAddress((isOld ? await begin() : beginning)?.url ?? '');
      const { organisation, isFresh } = request;
      noteBegun({ organisation, next, isFresh });
      location.assign(url);
    });
  return (
    <>
      {!begun && <Loading what="the sign-in" />}
      {beginning && (
        <div class="stack">
          <button type="button" class="primary" disabled={action.isBusy} onClick={leave}>
            Sign in with <Foreign text={beginning.label} />
          </button>
          <p class="hint">
            At <Foreign text={hostOf(beginning)} />, the provider of your organisation. You stay signed in for
            eight hours.
          </p>
        </div>
      )}
      <Trouble problem={problem} retry={ask} />
      <Trouble problem={action.problem} />
      <details open={isByKey || problem !== undefined}>
        <summary>Use an API key</summary>
        {children}
      </details>
    </>
  );
}

const hostOf = ({ url }: Beginning): string => URL.parse(url)?.host ?? '';
