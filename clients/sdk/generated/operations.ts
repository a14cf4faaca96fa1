// Written by `npm run clients` from the contracts in shared/contracts.

export const VERSION = '0.1.0';

/** Method, path, and what else there is to know: see `Operation`. */
export const OPERATIONS = {
  health: {
    get: 'GET /health whole public 503',
  },
  auth: {
    signup: 'POST /v1/auth/signup public',
    token: 'POST /v1/auth/token',
    whoami: 'GET /v1/whoami',
  },
  apiKeys: {
    list: 'GET /v1/api-keys list',
    create: 'POST /v1/api-keys',
    delete: 'DELETE /v1/api-keys/:',
  },
  trustedIssuers: {
    list: 'GET /v1/trusted-issuers list',
    create: 'POST /v1/trusted-issuers',
    delete: 'DELETE /v1/trusted-issuers/:',
  },
  projects: {
    list: 'GET /v1/projects list',
    create: 'POST /v1/projects',
    get: 'GET /v1/projects/:',
    update: 'PATCH /v1/projects/:',
    delete: 'DELETE /v1/projects/:',
  },
  suites: {
    list: 'GET /v1/projects/:/suites list',
    create: 'POST /v1/projects/:/suites',
    createFromTemplate: 'POST /v1/projects/:/suites/from-template',
    get: 'GET /v1/projects/:/suites/:',
    getById: 'GET /v1/suites/:',
    revision: 'GET /v1/suites/:/revision',
    warnings: 'GET /v1/suites/:/warnings',
    update: 'PATCH /v1/projects/:/suites/:',
    delete: 'DELETE /v1/projects/:/suites/: query',
    try: 'POST /v1/suites/:/try',
  },
  definitions: {
    get: 'GET /v1/projects/:/suites/:/definition',
    put: 'PUT /v1/projects/:/suites/:/definition gzip',
  },
  cases: {
    list: 'GET /v1/suites/:/cases list',
    inputs: 'GET /v1/suites/:/inputs whole query',
    create: 'POST /v1/suites/:/cases',
    get: 'GET /v1/cases/:',
    update: 'PATCH /v1/cases/:',
    delete: 'DELETE /v1/cases/: query',
    reorder: 'POST /v1/suites/:/cases/reorder',
    history: 'GET /v1/cases/:/history whole query',
  },
  judgeChecks: {
    start: 'POST /v1/suites/:/check bare',
    get: 'GET /v1/suites/:/check',
  },
  scorers: {
    list: 'GET /v1/projects/:/scorers list',
    create: 'POST /v1/projects/:/scorers',
    get: 'GET /v1/scorers/:',
    update: 'PATCH /v1/scorers/:',
    delete: 'DELETE /v1/scorers/: query',
    try: 'POST /v1/scorers/:/try',
  },
  history: {
    revisions: 'GET /v1/suites/:/revisions list',
    revision: 'GET /v1/suites/:/revisions/:',
    diff: 'GET /v1/suites/:/revisions/:/diff query',
    suiteChanges: 'GET /v1/suites/:/changes list',
    scorerChanges: 'GET /v1/scorers/:/changes list',
    projectChanges: 'GET /v1/projects/:/changes list',
    organisationChanges: 'GET /v1/changes list',
  },
  byokKeys: {
    list: 'GET /v1/byok-keys list',
    create: 'POST /v1/byok-keys',
    test: 'POST /v1/byok-keys/:/test whole',
    delete: 'DELETE /v1/byok-keys/:',
  },
  templates: {
    list: 'GET /v1/templates public',
    get: 'GET /v1/templates/: public',
  },
  runs: {
    create: 'POST /v1/run whole key gzip',
    get: 'GET /v1/runs/:',
    list: 'GET /v1/suites/:/runs list',
    statement: 'GET /v1/runs/:/statement whole',
    results: 'GET /v1/runs/:/results list',
  },
  baselines: {
    accept: 'POST /v1/suites/:/baselines',
    list: 'GET /v1/suites/:/baselines list',
    get: 'GET /v1/suites/:/baseline',
    remove: 'DELETE /v1/suites/:/baseline',
  },
  comparisons: {
    get: 'GET /v1/runs/:/comparison query',
  },
  waivers: {
    create: 'POST /v1/runs/:/waiver',
    delete: 'DELETE /v1/runs/:/waiver',
  },
  analytics: {
    trends: 'GET /v1/suites/:/trends query',
    regressions: 'GET /v1/suites/:/regressions',
  },
  billing: {
    usage: 'GET /v1/billing/usage whole',
    checkout: 'POST /v1/billing/checkout whole',
    portal: 'POST /v1/billing/portal whole bare',
  },
} as const;
