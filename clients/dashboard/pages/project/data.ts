import { pageOf, useAnswer } from '../../kit/api.ts';

const SCORERS = 100;

export const useProject = (slug: string) =>
  useAnswer(`projects/${slug}`, (sdk, options) => sdk.projects.get(slug, options));

export const useScorers = (project: string, page: number) =>
  useAnswer(`projects/${project}/scorers?page=${page}`, (sdk, options) =>
    pageOf(sdk.scorers.list(project, { page, pageSize: SCORERS }, options)),
  );

export const useTemplates = () => useAnswer('templates', (sdk, options) => sdk.templates.list(options));
