import { to } from '../kit/addresses.ts';
import { may } from '../kit/session.ts';
import type { Link } from './Shell.tsx';

/** The way up to a project, or to a suite of it; empty for a credential that may not list projects. */
export const crumbsTo = (
  project: string,
  suite?: { readonly slug: string; readonly name?: string | undefined },
): readonly Link[] =>
  may.value.browse
    ? [
        { href: to.home, text: 'Projects' },
        { href: to.project(project), text: project },
        ...(suite ? [{ href: to.suite(project, suite.slug), text: suite.name ?? suite.slug }] : []),
      ]
    : [];

/** To the suite of a run. */
export const crumbsOfRun = (
  suite: { readonly project_slug: string; readonly slug: string; readonly name: string } | null,
) => (suite === null ? [] : crumbsTo(suite.project_slug, suite));
