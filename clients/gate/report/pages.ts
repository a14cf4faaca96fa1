/** Where the dashboard of a service shows a run. */
export const runPage = (serviceUrl: string, runId: string): string =>
  `${serviceUrl}/app/runs/${encodeURIComponent(runId)}`;

/** Where it shows a suite. */
export const suitePage = (serviceUrl: string, project: string, suite: string): string =>
  `${serviceUrl}/app/p/${encodeURIComponent(project)}/s/${encodeURIComponent(suite)}`;
