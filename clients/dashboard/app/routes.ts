import type { ComponentType } from 'preact';
import { type PageProps, paramsOf } from '../kit/router.ts';

interface Route {
  readonly pattern: string;
  /** Its heading among those of `/guides`. */
  readonly guide: string;
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
  /** It is shown without a session, too. */
  readonly isPublic?: boolean;
}

/** Each page is a chunk of its own. A new one is a folder in `pages/`, a line here, its address in `addresses.ts`, a test. */
const ROUTES: readonly Route[] = [
  { pattern: '/app', guide: 'dashboard', load: () => import('../pages/home/Page.tsx') },
  {
    pattern: '/app/sign-in',
    guide: 'dashboard--signing-in',
    load: () => import('../pages/sign-in/Page.tsx'),
    isPublic: true,
  },
  {
    pattern: '/app/signed-in/:org',
    guide: 'dashboard--signing-in',
    load: () => import('../pages/signed-in/Page.tsx'),
    isPublic: true,
  },
  {
    pattern: '/app/sign-up',
    guide: 'self-hosting',
    load: () => import('../pages/sign-up/Page.tsx'),
    isPublic: true,
  },
  { pattern: '/app/cli', guide: 'cli--logging-in', load: () => import('../pages/cli/Page.tsx') },
  { pattern: '/app/runs/:run', guide: 'runs', load: () => import('../pages/run/Page.tsx') },
  {
    pattern: '/app/p/:project/s/:suite/cases',
    guide: 'suites--cases',
    load: () => import('../pages/cases/Page.tsx'),
  },
  {
    pattern: '/app/p/:project/s/:suite/c/:case',
    guide: 'suites--cases',
    load: () => import('../pages/case/Page.tsx'),
  },
  { pattern: '/app/p/:project', guide: 'suites', load: () => import('../pages/project/Page.tsx') },
  { pattern: '/app/p/:project/s/:suite', guide: 'suites', load: () => import('../pages/suite/Page.tsx') },
  {
    pattern: '/app/p/:project/scorers/:scorer',
    guide: 'scorers',
    load: () => import('../pages/scorer/Page.tsx'),
  },
  {
    pattern: '/app/settings/usage',
    guide: 'billing',
    load: () => import('../pages/settings/usage/Page.tsx'),
  },
  {
    pattern: '/app/settings/keys',
    guide: 'credentials--api-keys',
    load: () => import('../pages/settings/keys/Page.tsx'),
  },
  {
    pattern: '/app/settings/byok',
    guide: 'credentials--byok-keys',
    load: () => import('../pages/settings/byok/Page.tsx'),
  },
  {
    pattern: '/app/settings/issuers',
    guide: 'ci--trusting-a-repository',
    load: () => import('../pages/settings/issuers/Page.tsx'),
  },
  {
    pattern: '/app/p/:project/s/:suite/history',
    guide: 'suites--history',
    load: () => import('../pages/history/Page.tsx'),
  },
  {
    pattern: '/app/compare',
    guide: 'worse--what-is-compared',
    load: () => import('../pages/compare/Page.tsx'),
  },
];

export interface RouteMatch {
  readonly route: Route;
  readonly params: PageProps['params'];
}

/** Undefined: there is no page. */
export function routeOf(path: string): RouteMatch | undefined {
  for (const route of ROUTES) {
    const params = paramsOf(route.pattern, path);
    if (params) return { route, params };
  }
  return undefined;
}
