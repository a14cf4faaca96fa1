import type { Project } from '../../../sdk/index.ts';
import { pageOf, type Query, useAnswer } from '../../kit/api.ts';
import { shown } from '../../kit/text.ts';

const PAGE_SIZE = 100;
/** An organisation has no more provider keys and repositories than this. */
export const ALL = { page: 1, pageSize: PAGE_SIZE } as const;

export const useProjects = (isNeeded: boolean): Query<{ readonly data: Project[] }> =>
  useAnswer(isNeeded ? `projects?pageSize=${PAGE_SIZE}` : undefined, (sdk, options) =>
    pageOf(sdk.projects.list(ALL, options)),
  );

/** Of what names a project by its id. */
export function projectName(projects: readonly Project[] | undefined, id: string | null): string {
  if (id === null) return 'all';
  return projects?.find((project) => project.id === id)?.name ?? 'one that is not there any more';
}

/** For a form: the slug, '' for all. */
export const projectOptions = (projects: readonly Project[] = []): readonly (readonly [string, string])[] => [
  ['', 'all'],
  ...projects.map(({ slug, name }) => [slug, shown(name)] as const),
];
