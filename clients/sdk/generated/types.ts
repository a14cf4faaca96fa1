// Written by `npm run clients` from the contracts in shared/contracts.

export interface ApiKey {
  id: string;
  name: string;
  key_prefix: string;
  /** The one project the key may use; null means all. */
  project_id: string | null;
  scope: 'run' | 'read' | 'suites' | 'full';
  /** Null: until it is revoked. */
  expires_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
  created_at: string;
  /** Null: the operator of the service, or who signed up. */
  created_by: Credential | null;
}

export interface BarDifference {
  suite: Readonly<Record<string, {
    from: unknown;
    to: unknown;
  }>>;
  cases: {
    added: {
      case_id: string;
      key: string;
    }[];
    removed: {
      case_id: string;
      key: string;
    }[];
    changed: {
      case_id: string;
      key: string;
      /** What is over 4 kB, or gone, is `{"sha256": …, "bytes": …}`, so are the texts of cases that are deleted by now. */
      changes: Readonly<Record<string, {
        from: unknown;
        to: unknown;
      }>>;
    }[];
  };
  scorers: {
    added: {
      scorer_id: string;
      key: string;
    }[];
    removed: {
      scorer_id: string;
      key: string;
    }[];
    changed: {
      scorer_id: string;
      key: string;
      /** What is over 4 kB, or gone, is `{"sha256": …, "bytes": …}`, so are the texts of cases that are deleted by now. */
      changes: Readonly<Record<string, {
        from: unknown;
        to: unknown;
      }>>;
    }[];
  };
}

export interface ByokKey {
  id: string;
  org_id: string;
  /** The one project whose judges use it; null: those of every project without a key of its own. */
  project_id: string | null;
  provider: 'openai' | 'anthropic' | 'google' | 'azure_openai' | 'provider_a' | 'provider_b' | 'provider_c' | 'provider_a_cloud';
  name: string | null;
  /** The first 8 characters, or the first half of a key below 16: no more of the key is ever shown. */
  key_prefix: string;
  /** Whether judges of this provider use this key; it replaces the previous default of the organisation or project. */
  is_default: boolean;
  /** Null until a judge has used it. */
  last_used_at: string | null;
  created_at: string;
}

export interface Case {
  /** Null where the query names a run. */
  id: string;
  suite_id: string;
  key: string;
  name: string;
  description: string | null;
  input: Readonly<Record<string, unknown>>;
  expected: unknown;
  examples: {
    pass: string[];
    fail: string[];
  };
  scorer_id: string;
  threshold: number;
  weight: number;
  is_active: boolean;
  tags: string[];
  must_pass: boolean;
  advisory: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null;
  sample_count: number;
  sample_pass_rate: number;
  sort_order: number;
  created_at: string;
  updated_at: string;
}

export interface ChangeEntry {
  id: string;
  at: string;
  /** Null for the operator of the service. */
  by: Credential | null;
  action: 'created' | 'updated' | 'deleted' | 'reordered' | 'pushed' | 'restored' | 'accepted' | 'removed' | 'waived' | 'revoked';
  target: {
    type: 'suite' | 'case' | 'scorer' | 'baseline' | 'waiver' | 'project' | 'api_key' | 'byok_key' | 'trusted_issuer' | 'sign_in' | 'organisation';
    id: string;
    key?: string;
    name?: string;
  };
  /** What is over 4 kB, or gone, is `{"sha256": …, "bytes": …}`, so are the texts of cases that are deleted by now. */
  changes: Readonly<Record<string, {
    from: unknown;
    to: unknown;
  }>>;
  members?: {
    created: number;
    updated: number;
    deleted: number;
    /** The first 100 of them, cases before scorers. */
    first: {
      action: 'created' | 'updated' | 'deleted';
      target: {
        type: 'suite' | 'case' | 'scorer' | 'baseline' | 'waiver' | 'project' | 'api_key' | 'byok_key' | 'trusted_issuer' | 'sign_in' | 'organisation';
        id: string;
        key?: string;
        name?: string;
      };
      /** What is over 4 kB, or gone, is `{"sha256": …, "bytes": …}`, so are the texts of cases that are deleted by now. */
      changes: Readonly<Record<string, {
        from: unknown;
        to: unknown;
      }>>;
    }[];
  };
}

export type Credential = {
  type: 'api_key' | 'token' | 'session';
  key_id: string;
  label: string;
} | {
  type: 'github_actions';
  registration_id: string;
  /** Its name when the job began. Only the ids say whose job it is: another repository may take the name. */
  repository: string;
  repository_id: string;
  repository_owner_id: string;
  actor: string;
  event_name?: string;
  ref: string;
  /** Of a pull request: its branch. */
  head_ref?: string;
  sha?: string;
  /** The file, in the job's repository unless a name is before it. */
  workflow: string;
  /** Of a job of a reusable workflow: that one's file and ref. */
  job_workflow_ref?: string;
  run_id: string;
  run_attempt?: string;
  label: string;
} | {
  type: 'ci_job';
  registration_id: string;
  provider: 'gitlab' | 'buildkite' | 'circleci' | 'other';
  issuer: string;
  /** The id of the project or pipeline at the issuer. */
  subject: string;
  /** What it was called when the job began. */
  name: string;
  ref?: string;
  sha?: string;
  event_name?: string;
  actor?: string;
  run_id?: string;
  label: string;
} | {
  type: 'person';
  registration_id: string;
  issuer: string;
  /** The id of the project or pipeline at the issuer. */
  subject: string;
  /** What it was called when the job began. */
  name: string | null;
  label: string;
};

export interface DefinedCase {
  key: string;
  name?: string;
  description?: string | null;
  input: Readonly<Record<string, unknown>>;
  expected?: unknown;
  examples?: {
    pass: string[];
    fail: string[];
  };
  threshold?: number;
  weight?: number;
  is_active?: boolean;
  tags?: string[];
  must_pass?: boolean;
  advisory?: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null;
  sample_count?: number;
  sample_pass_rate?: number;
  /** The key of its scorer. Null for one that was deleted. */
  scorer: string | null;
}

export interface DefinedScorer {
  name?: string;
  dual_sided?: boolean;
  precision_threshold?: number | null;
  recall_threshold?: number | null;
  type: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge';
  /** Without fields that have the default of the type. */
  config: Readonly<Record<string, unknown>>;
}

export interface Definition {
  /** Of this format. */
  version: 1;
  /** The slug. */
  suite: string;
  name?: string;
  description?: string | null;
  pass_threshold?: number;
  gates?: Gates;
  keep_outputs?: 'failed' | 'all' | 'none';
  show_expected?: boolean;
  /** Jobs of the repository that holds the file can read it there. */
  show_inputs?: boolean;
  show_results?: boolean;
  /** Those that its cases use, by their keys. */
  scorers: Readonly<Record<string, DefinedScorer>>;
  /** All of them, in their order. */
  cases: DefinedCase[];
}

export interface Gates {
  /** With fewer cases that have a verdict, the gate is inconclusive. */
  min_judged_cases?: number;
  /** The least lower bound of the pass rate's 95 % interval. */
  min_lower_bound?: number;
  tags?: {
    tag: string;
    /** The least weighted pass rate of the cases with this tag. */
    pass_threshold: number;
    /** With fewer cases that have a verdict, the gate is inconclusive. */
    min_judged_cases: number;
  }[];
  /** How many cases may fail that passed in the baseline. Without a baseline, the run is inconclusive. */
  max_newly_failing?: number;
  /** The run fails where it is worse than the baseline. Without a baseline, it is inconclusive. */
  regression?: {
    /** The share of comparisons of equal runs that may fail by chance. */
    alpha: number;
    /** A smaller fall of the pass rate is no regression. */
    min_drop: number;
  };
  /** The least share of the weight that has to be comparable with the baseline; 0.8 without it. */
  min_comparable?: number;
  /** Without a check that shows it of every judge, the run is inconclusive. */
  judges?: {
    /** The least lower bound of the share of wrong answers that it catches. */
    min_caught: number;
    /** An older check proves nothing. */
    max_age_days: number;
  };
}

export interface JudgedBar {
  digest: string;
  /** Of the first run that it judged, and that counted. */
  first_run_id: string;
  first_run_at: string;
  /** Active cases. */
  case_count: number;
  pass_threshold: number;
  reliability: {
    commits_judged_again: number;
    disagreed: number;
    lower: number | null;
    upper: number | null;
    /** By what the first run said. */
    cleared_first: {
      commits: number;
      disagreed: number;
    };
    aborted_first: {
      commits: number;
      disagreed: number;
    };
    /** Commits whose two runs sent the same outputs: only judges that do not remember them and deadlines can differ. */
    same_outputs: {
      commits: number;
      disagreed: number;
    };
    /** Commits with an inconclusive run: they count nowhere else. */
    inconclusive: number;
  } | null;
}

export interface LatestRun {
  id: string;
  status: 'pending' | 'cleared' | 'aborted';
  pass_rate: number;
  inconclusive: boolean;
  /** Null for a run of a pull request, and where it is not known. What is no branch, such as a tag, is a full ref. */
  branch: string | null;
  /** The number; null for a run of a branch, and where it is not known. */
  pull_request: string | null;
  /** Whether it counts as the default branch's, as does a run that names neither. */
  is_default_branch: boolean;
  created_at: string;
}

export interface Organisation {
  id: string;
  name: string;
  plan: 'free' | 'pro' | 'scale' | 'enterprise';
  created_at: string;
  updated_at: string;
  /** Only while it is being deleted: when everything of it goes, unless that is taken back. */
  deletes_at?: string;
}

export interface OutputItem {
  /** The id or the key of the case that it answers. Several items of one case are its samples. */
  case: string;
  /** Either this or `error`, at most 1 MB. Left out beside a trace: its agent's last text. */
  output?: string | undefined;
  /** Why there is no output, 1 to 2,000 characters: the case is errored, not failed. A trace may stand beside it. */
  error?: string | undefined;
  /** The calls of tools in their order, in evalgate's form. At most 256 kB, 1,000 calls. */
  trace?: readonly unknown[] | undefined;
  /** In its place: a list as the API of OpenAI or Anthropic takes or gives it. */
  messages?: readonly unknown[] | undefined;
  /** Takes the place of the run's `input`, at most 256 kB. */
  input?: Readonly<Record<string, unknown>> | undefined;
  /** At most 2 kB; `latency_ms`, `input_tokens`, `output_tokens` and `cost_usd` are numbers of at least 0. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  hasMore: boolean;
}

export interface PendingRun {
  id: string;
  status: 'pending';
  message: string;
}

export interface Project {
  id: string;
  org_id: string;
  name: string;
  slug: string;
  description: string | null;
  /** The least scope of a credential whose push may make a bar of the project weaker. */
  weaker_pushes: 'suites' | 'full';
  created_at: string;
  updated_at: string;
}

export interface Regression {
  case_name: string;
  case_id: string;
  current_score: number;
  previous_score: number;
  threshold: number;
  regression: true;
  reason: string;
}

export interface Run {
  id: string;
  suite_id: string;
  status: 'pending' | 'cleared' | 'aborted';
  pass_rate: number;
  total_cases: number;
  passed_cases: number;
  failed_cases: number;
  /** Failed cases whose scorer ended in an error. */
  errored_cases: number;
  /** True when the run is aborted but would be cleared had the errored cases passed. */
  inconclusive: boolean;
  /** The bar that the run was judged by; null while it is pending. */
  suite_digest: string | null;
  /** What was judged; null while it is pending. */
  outputs_digest: string | null;
  /** Gating cases without an output; part of `failed_cases`. */
  missing_cases: number;
  /** Scored, but outside all other figures. */
  advisory_cases: number;
  advisory_failed_cases: number;
  /** Of the models that judged it, with failed calls. Null where none judges, while it is pending, and if results are hidden. */
  judge_usage: {
    calls: number;
    /** Verdicts of earlier runs of the suite, which took no call. */
    remembered: number;
    /** Of the calls that were answered. */
    input_tokens: number;
    output_tokens: number;
  } | null;
  /** Items whose case the suite does not have, or has deactivated. */
  surplus_outputs: number;
  /** The first 20 of their names, as sent. */
  surplus: string[];
  /** As it was. */
  pass_threshold: number | null;
  fault?: 'candidate' | 'bar' | 'service';
  verdict: VerdictDetail | null;
  notices: {
    code: 'ADVISORY_EXPIRING' | 'RETRIED';
    message: string;
    case_id?: string;
    key?: string;
    expires_at?: string;
    /** How often the commit was judged by this suite, with this run. */
    runs?: number;
    /** What the first of these runs said. */
    first?: 'cleared' | 'aborted' | 'inconclusive';
  }[];
  /** The baseline that was current when the run was accepted. */
  baseline_id: string | null;
  /** With that baseline; null without one, and while the run is pending. */
  comparison: {
    baseline_id: string;
    /** The keys of at most 20 cases that got worse, the gravest first. */
    newly_failing: string[];
    newly_failing_count: number;
    /** Of the pass rates over the compared cases: below 0 where the run is worse. */
    difference: number;
    /** How likely so many cases or more get worse by chance alone. */
    p_value: number;
    /** False where too few of the cases can be compared, or the baseline cannot be read. */
    comparable: boolean;
  } | null;
  /** Of an aborted run, or of an earlier one of the same bar and outputs. */
  waiver: {
    id: string;
    /** The run that was waived. Later runs of the same bar and outputs carry its waiver. */
    run_id: string;
    suite_digest: string;
    outputs_digest: string;
    reason: string;
    waived_by: Credential;
    created_at: string;
    expires_at: string;
    /** False from `expires_at` on. */
    active: boolean;
  } | null;
  duration_ms: number;
  trigger: 'sdk' | 'cli' | 'github_action' | 'dashboard' | 'api';
  trigger_meta: Readonly<Record<string, unknown>>;
  /** The credential of the request. */
  created_by: Credential;
  created_at: string;
  completed_at: string | null;
  /** Of a run whose results credentials of scope `run` don't see: it was decided when the run was accepted. */
  results_hidden?: true;
  /** Of the default branch also the runs that name nothing. Either this or `pull_request`. */
  branch: string | null;
  /** The number. */
  pull_request: string | null;
  is_default_branch: boolean;
  suite: {
    slug: string;
    name: string;
    project_slug: string;
  } | null;
}

export interface RunResult {
  id: string;
  run_id: string;
  case_id: string;
  case_name: string;
  passed: boolean;
  score: number;
  threshold: number;
  reason: string;
  scorer_output: Readonly<Record<string, unknown>>;
  duration_ms: number;
  /** Of the case. */
  key: string;
  errored: boolean;
  /** Only of an errored case: whose doing it is. */
  fault?: 'candidate' | 'bar' | 'service';
  missing: boolean;
  advisory: boolean;
  must_pass: boolean;
  weight: number | null;
  tags: string[];
  /** 16 hexadecimal digits; null where no output was sent. */
  output_digest: string | null;
  /** As the harness sent it: it is not checked. */
  metadata: Readonly<Record<string, unknown>> | null;
  /** The samples of a case that takes several outputs. The fields above are those of the sample which decides. */
  samples?: {
    passed: boolean;
    score: number;
    reason: string;
    scorer_output: Readonly<Record<string, unknown>>;
    fault?: 'candidate' | 'bar' | 'service';
    /** 16 hexadecimal digits; null in a run that could not be evaluated. */
    output_digest: string | null;
    metadata: Readonly<Record<string, unknown>> | null;
  }[];
  /** The first 2,000 characters of what was judged, where there was something. */
  output_excerpt?: string;
  /** The calls of its trace in a line, up to 2,000 characters. */
  trace_excerpt?: string;
  /** Null where the case's text has been dropped since. */
  expected_excerpt?: string | null;
  input_excerpt?: string | null;
  /** What was sent beside the output of a judged case that has an input, too. */
  run_input_excerpt?: string;
  /** What its judge received, of these excerpts: of the first 100 results of an answer, not for scope `run`. */
  judge_prompt?: string;
  /** What that judge goes by. */
  judge_rubric?: string;
  /** The calls that its scorer wants of a trace, as JSON, up to 2,000 characters: of the same results as `judge_prompt`. */
  expected_calls?: string;
  /** An excerpt is shorter than what it was taken of. */
  cut?: true;
  /** Texts are left out: the run keeps no more than 2 MB of excerpts, or a text of the case has been dropped since. */
  excerpts_cut?: true;
}

export interface RunVerdict {
  id: string;
  status: 'cleared' | 'aborted';
  passed: boolean;
  total_cases: number;
  passed_cases: number;
  failed_cases: number;
  /** Failed cases whose scorer ended in an error. */
  errored_cases: number;
  /** True when the run is aborted but would be cleared had the errored cases passed. */
  inconclusive: boolean;
  pass_rate: number;
  /** The bar that the run was judged by; null while it is pending. */
  suite_digest: string | null;
  /** What was judged; null while it is pending. */
  outputs_digest: string | null;
  /** Gating cases without an output; part of `failed_cases`. */
  missing_cases: number;
  /** Scored, but outside all other figures. */
  advisory_cases: number;
  advisory_failed_cases: number;
  /** Of the models that judged it, with failed calls. Null where none judges, while it is pending, and if results are hidden. */
  judge_usage: {
    calls: number;
    /** Verdicts of earlier runs of the suite, which took no call. */
    remembered: number;
    /** Of the calls that were answered. */
    input_tokens: number;
    output_tokens: number;
  } | null;
  /** Items whose case the suite does not have, or has deactivated. */
  surplus_outputs: number;
  /** The first 20 of their names, as sent. */
  surplus: string[];
  /** As it was. */
  pass_threshold: number | null;
  /** Only of an errored case: whose doing it is. */
  fault?: 'candidate' | 'bar' | 'service';
  verdict: VerdictDetail | null;
  notices: {
    code: 'ADVISORY_EXPIRING' | 'RETRIED';
    message: string;
    case_id?: string;
    key?: string;
    expires_at?: string;
    /** How often the commit was judged by this suite, with this run. */
    runs?: number;
    /** What the first of these runs said. */
    first?: 'cleared' | 'aborted' | 'inconclusive';
  }[];
  /** The baseline that was current when the run was accepted. */
  baseline_id: string | null;
  /** With that baseline; null without one, and while the run is pending. */
  comparison: {
    baseline_id: string;
    /** The keys of at most 20 cases that got worse, the gravest first. */
    newly_failing: string[];
    newly_failing_count: number;
    /** Of the pass rates over the compared cases: below 0 where the run is worse. */
    difference: number;
    /** How likely so many cases or more get worse by chance alone. */
    p_value: number;
    /** False where too few of the cases can be compared, or the baseline cannot be read. */
    comparable: boolean;
  } | null;
  /** Of an aborted run, or of an earlier one of the same bar and outputs. */
  waiver: {
    id: string;
    /** The run that was waived. Later runs of the same bar and outputs carry its waiver. */
    run_id: string;
    suite_digest: string;
    outputs_digest: string;
    reason: string;
    waived_by: Credential;
    created_at: string;
    expires_at: string;
    /** False from `expires_at` on. */
    active: boolean;
  } | null;
  duration_ms: number;
  scores: {
    case: string;
    passed: boolean;
    score: number;
    threshold: number;
    reason: string;
    key: string;
    case_id: string;
    missing: boolean;
    /** Only of an errored case: whose doing it is. */
    fault?: 'candidate' | 'bar' | 'service';
    advisory: boolean;
  }[];
  /** Gating cases only. */
  failures: {
    case: string;
    score: number;
    threshold: number;
    reason: string;
    key: string;
    case_id: string;
    missing: boolean;
    /** Only of an errored case: whose doing it is. */
    fault?: 'candidate' | 'bar' | 'service';
    advisory: boolean;
  }[];
  /** Of a run whose results credentials of scope `run` don't see: it was decided when the run was accepted. */
  results_hidden?: true;
}

export interface Scorer {
  id: string;
  project_id: string;
  /** Unique in the project. That of a restored scorer is its id where another one has taken its key. */
  key: string;
  name: string;
  type: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge';
  /** Depends on the type, whose own schema checks it when the scorer is written. */
  config: Readonly<Record<string, unknown>>;
  dual_sided: boolean;
  precision_threshold: number | null;
  recall_threshold: number | null;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface Suite {
  id: string;
  project_id: string;
  name: string;
  slug: string;
  /** Null for credentials of scope `run`. */
  description: string | null;
  pass_threshold: number;
  /** The bars beside `pass_threshold`; a PATCH replaces them all. */
  gates: Gates;
  /** Of which results a run keeps excerpts of input, expected and output. */
  keep_outputs: 'failed' | 'all' | 'none';
  /** Whether credentials of scope `run` see excerpts of what cases expect. */
  show_expected: boolean;
  /** Whether credentials of scope `run` read the inputs of cases; a definition that leaves it out says true. */
  show_inputs: boolean;
  /** Whether credentials of scope `run` see how single cases fared. It holds for runs that are accepted from then on. Suites made before this existed show them. */
  show_results: boolean;
  /** Grows by one with every change of the suite or a case of it. */
  version: number;
  created_at: string;
  updated_at: string;
  /** The default branch's newest that the plan retains, pending ones included; without one the newest of any; or null. */
  latest_run: LatestRun | null;
  /** What runs are compared with; null without one. */
  baseline_id: string | null;
  /** The last push that changed it, its cases or its scorers: the next one takes back what is edited by hand. */
  last_push: {
    at: string;
    by: Credential;
    /** Of a job: as its token says. */
    source: {
      repository?: string;
      ref?: string;
      sha?: string;
      path?: string;
    };
  } | null;
}

export interface SuiteBar {
  digest: string;
  /** The version of the scorers and of how results become a verdict. */
  scoring: number;
  pass_threshold: number;
  gates: Gates;
  cases: {
    case_id: string;
    key: string;
    scorer_id: string;
    threshold: number;
    weight: number;
    must_pass: boolean;
    tags: string[];
    advisory_until: string | null;
    sample_count: number;
    sample_pass_rate: number;
    /** Of its canonical JSON: `sha256:` and 64 digits. For scope `run` 16 digits that only this suite makes of it. */
    input_digest: string;
    expected_digest: string;
  }[];
  scorers: {
    scorer_id: string;
    key: string;
    type: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge';
    dual_sided: boolean;
    precision_threshold: number | null;
    recall_threshold: number | null;
    /** Null where it was replaced, and no run that it judged exists any more. For scope `run` 16 digits that only this suite makes of it. */
    config: unknown;
  }[];
}

export interface Template {
  id: string;
  name: string;
  slug: string;
  description: string;
  category: string;
  sort_order: number;
  cases: {
    name: string;
    description: string;
    scorer_type: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge';
    scorer_config: Readonly<Record<string, unknown>>;
    threshold: number;
    /** Only of a case that has to pass. */
    must_pass?: boolean;
  }[];
}

export interface Trend {
  date: string;
  avg_pass_rate: number;
  cleared_count: number;
  aborted_count: number;
  total_runs: number;
}

export interface TrustedIssuer {
  id: string;
  /** `persons`: those of the organisation's sign-in. */
  for: 'jobs' | 'persons';
  /** Left out: what the issuer is known for. */
  provider: 'github' | 'gitlab' | 'buildkite' | 'circleci' | 'other';
  /** Of jobs of another system than GitHub. */
  issuer: string;
  /** What people call it; left out: made of the conditions. */
  label: string;
  /** Null: of jobs of GitHub, which the fields below are about. `{}`: every person of the issuer. */
  claims: Readonly<Record<string, string | string[]>> | null;
  /** Of jobs: what they get, where they ask for it. */
  scope: 'run' | 'read' | 'suites' | 'full';
  /** The one project that it opens; null means all. */
  project_id: string | null;
  repository?: string;
  /** Null means any. */
  ref?: string | null;
  environment?: string | null;
  workflow?: string | null;
  /** The reusable workflow that the job is of, with its ref: no pull request of the repository can edit it. */
  job_workflow_ref?: string | null;
  /** GitHub's ids, stored with the first token; a repository that is created again under this name has others. */
  repository_id?: string | null;
  repository_owner_id?: string | null;
  last_used_at: string | null;
  created_at: string;
}

export interface VerdictDetail {
  gates: {
    /** `pass_rate`, `min_judged_cases`, `min_lower_bound`, `must_pass`, `tag:<tag>`, `max_newly_failing`, `regression` or `judges`. */
    gate: string;
    /** Inconclusive: errored cases, too little evidence or a missing baseline decide. */
    status: 'passed' | 'failed' | 'inconclusive' | 'not_applicable';
    /** Of `regression` the p-value. Null where there is no baseline to compare with. */
    observed: number | null;
    required: number;
    /** Of `regression`: by how much the pass rate differs from the baseline's. */
    difference?: number;
    /** The keys of at most 20 must-pass cases that did not pass, or newly failing ones: failed ones first, and of these the heaviest. */
    cases?: string[];
    /** Of a tag: those that have a verdict. */
    judged_cases?: number;
    reason?: string;
  }[];
  /** The gates that keep an aborted run from being cleared. */
  decided_by: string[];
  confidence: {
    level: number;
    method: string;
    lower: number;
    upper: number;
    /** Fewer than the cases where weights differ. */
    effective_cases: number;
  };
  /** Null where no number of cases can change the status, and where a gate compares with a baseline. */
  flips: {
    to: 'cleared' | 'aborted';
    /** How many cases would have to change for the run to have this status. */
    cases: number;
    /** False where fewer cases may be enough. */
    exact: boolean;
    /** At most 20 of the cases that would have to pass; none for `to: aborted`. */
    case_ids: string[];
  } | null;
}

export interface HealthGetAnswer {
  status: 'ok' | 'degraded';
  version: string;
  timestamp: string;
  services: {
    database: 'connected' | 'unavailable';
    redis: 'not_configured';
  };
}

export interface AuthSignupBody {
  name: string;
}

export interface AuthSignupAnswer {
  organisation: Organisation;
  /** `key` is shown only in this answer. */
  api_key: {
    id: string;
    name: string;
    key_prefix: string;
    /** The one project the key may use; null means all. */
    project_id: string | null;
    scope: 'run' | 'read' | 'suites' | 'full';
    /** Null: until it is revoked. */
    expires_at: string | null;
    /** To the minute. */
    last_used_at: string | null;
    created_at: string;
    /** Null: the operator of the service, or who signed up. */
    created_by: Credential | null;
    key: string;
  };
}

export interface AuthTokenBody {
  /** Left out: of an API key its own, of a job `run`. A job gets `suites` by a registration of that scope only. */
  scope?: 'run' | 'suites' | undefined;
  /** Of `POST /v1/auth/cli`, with the verifier that its challenge was made of, and without the header. */
  code?: string | undefined;
  code_verifier?: string | undefined;
}

export interface AuthTokenAnswer {
  token: string;
  expires_at: string;
}

export interface AuthWhoamiAnswer {
  organisation: {
    id: string;
    name: string;
    plan: 'free' | 'pro' | 'scale' | 'enterprise';
    /** Only while it is being deleted: when everything of it goes, unless that is taken back. */
    deletes_at?: string;
  };
  /** The one project it may use; null means all. */
  project: {
    id: string;
    slug: string;
    name: string;
  } | null;
  scope: 'run' | 'read' | 'suites' | 'full';
  credential: Credential;
  /** Null: until it is revoked. */
  expires_at: string | null;
}

export interface ApiKeysListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface ApiKeysCreateBody {
  name: string;
  /** The slug of the one project it may use; left out: all. */
  project?: string | undefined;
  scope?: 'run' | 'read' | 'suites' | 'full' | undefined;
  /** Left out or null: until it is revoked. */
  expires_at?: string | null | undefined;
}

export interface ApiKeysCreateAnswer {
  id: string;
  name: string;
  key_prefix: string;
  project_id: string | null;
  scope: 'run' | 'read' | 'suites' | 'full';
  /** Left out or null: until it is revoked. */
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  created_by: Credential | null;
  key: string;
}

export interface TrustedIssuersListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface TrustedIssuersCreateBody {
  /** `persons`: those of the organisation's sign-in. */
  for?: 'jobs' | 'persons' | undefined;
  /** Of jobs `run` or `suites`, by default `run`. `suites` of GitHub needs `project`, `workflow` and the full name of one branch as `ref`. */
  scope?: 'run' | 'read' | 'suites' | 'full' | undefined;
  /** The slug of the one project that it opens; left out: all. */
  project?: string | undefined;
  repository?: string | undefined;
  /** Null means any. */
  ref?: string | null | undefined;
  environment?: string | null | undefined;
  workflow?: string | null | undefined;
  /** `owner/name/.github/workflows/file.yml@ref`, as GitHub has it: the ref in full, or a commit. */
  job_workflow_ref?: string | null | undefined;
  /** Of jobs of another system than GitHub. Must be the address of an issuer as its discovery names it, such as "https://gitlab.com", without user, query, fragment and "..". */
  issuer?: string | undefined;
  /** Left out: what the issuer is known for. */
  provider?: 'gitlab' | 'buildkite' | 'circleci' | 'other' | undefined;
  /** Null: of jobs of GitHub, which the fields below are about. `{}`: every person of the issuer. */
  claims?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Of persons, in place of `claims`. */
  everyone?: true | undefined;
  /** What people call it; left out: made of the conditions. */
  label?: string | undefined;
}

export interface ProjectsListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface ProjectsCreateBody {
  name: string;
  slug?: string | undefined;
  description?: string | null | undefined;
  /** The least scope of a credential whose push may make a bar of the project weaker. */
  weaker_pushes?: 'suites' | 'full' | undefined;
}

export interface ProjectsUpdateBody {
  name?: string | undefined;
  description?: string | null | undefined;
  /** The least scope of a credential whose push may make a bar of the project weaker. */
  weaker_pushes?: 'suites' | 'full' | undefined;
}

export interface SuitesListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface SuitesCreateBody {
  name: string;
  slug?: string | undefined;
  /** Null for credentials of scope `run`. */
  description?: string | null | undefined;
  pass_threshold?: number | undefined;
  /** The bars beside `pass_threshold`; a PATCH replaces them all. */
  gates?: {
    /** With fewer cases that have a verdict, the run is inconclusive. */
    min_judged_cases?: number | null | undefined;
    /** The least lower bound of the pass rate's 95 % interval. */
    min_lower_bound?: number | null | undefined;
    tags?: readonly {
      tag: string;
      /** The least weighted pass rate of the cases with this tag. */
      pass_threshold: number;
      /** With fewer cases that have a verdict, the gate is inconclusive. */
      min_judged_cases?: number | undefined;
    }[] | null | undefined;
    /** How many cases may fail that passed in the baseline. Without a baseline, the run is inconclusive. */
    max_newly_failing?: number | null | undefined;
    /** The run fails where it is worse than the baseline. Without a baseline, it is inconclusive. */
    regression?: {
      /** The share of comparisons of equal runs that may fail by chance. */
      alpha?: number | undefined;
      /** A smaller fall of the pass rate is no regression. */
      min_drop?: number | undefined;
    } | null | undefined;
    /** The least share of the weight that has to be comparable with the baseline; 0.8 without it. */
    min_comparable?: number | null | undefined;
    /** Without a check that shows it of every judge, the run is inconclusive. */
    judges?: {
      /** The least lower bound of the share of wrong answers that it catches. */
      min_caught: number;
      /** An older check proves nothing. */
      max_age_days?: number | undefined;
    } | null | undefined;
  } | undefined;
  /** Of which results a run keeps excerpts of input, expected and output. */
  keep_outputs?: 'failed' | 'all' | 'none' | undefined;
  /** Whether credentials of scope `run` see excerpts of what cases expect. */
  show_expected?: boolean | undefined;
  /** Whether credentials of scope `run` read the inputs of cases; a definition that leaves it out says true. */
  show_inputs?: boolean | undefined;
  /** Whether credentials of scope `run` see how single cases fared. It holds for runs that are accepted from then on. Suites made before this existed show them. */
  show_results?: boolean | undefined;
}

export interface SuitesCreateFromTemplateBody {
  template_slug: string;
  name?: string | undefined;
  slug?: string | undefined;
}

export interface SuitesRevisionAnswer {
  digest: string;
  /** The version of the scorers and of how results become a verdict. */
  scoring: number;
  pass_threshold: number;
  gates: Gates;
  /** Active cases. */
  case_count: number;
  /** Those of them that no advisory takes out of the gates. */
  gating_cases: number;
  /** A model is null where neither scorer nor deployment names one, and for scope `run`: configs name models. */
  judges: {
    provider: 'openai' | 'anthropic' | 'google' | 'azure_openai' | 'provider_a' | 'provider_b' | 'provider_c' | 'provider_a_cloud';
    model: string | null;
  }[];
  reliability: {
    commits_judged_again: number;
    disagreed: number;
    lower: number | null;
    upper: number | null;
    /** By what the first run said. */
    cleared_first: {
      commits: number;
      disagreed: number;
    };
    aborted_first: {
      commits: number;
      disagreed: number;
    };
    /** Commits whose two runs sent the same outputs: only judges that do not remember them and deadlines can differ. */
    same_outputs: {
      commits: number;
      disagreed: number;
    };
    /** Commits with an inconclusive run: they count nowhere else. */
    inconclusive: number;
  } | null;
}

export interface SuitesWarningsAnswer {
  /** Of the bar after the push: of up to 1,000 active cases, and where the push moves the bar, also what a probe finds. */
  warnings: {
    /** As a verdict names it. */
    gate: string;
    code: 'GATE_CANNOT_PASS' | 'CASE_CANNOT_PASS' | 'NOTHING_CLEARS_IT' | 'SLIP_PASSES' | 'CONSTANT_CLEARS';
    /** The key of a case that shows it. */
    case?: string;
    /** What is wrong, and what to do. It quotes nothing that a case expects. */
    message: string;
    /** Of `SLIP_PASSES`: an output beside what the case expects, both shortened. Left out for scope `run`. */
    example?: string;
  }[];
}

export interface SuitesUpdateBody {
  name?: string | undefined;
  /** Null for credentials of scope `run`. */
  description?: string | null | undefined;
  pass_threshold?: number | undefined;
  /** The bars beside `pass_threshold`; a PATCH replaces them all. */
  gates?: {
    /** With fewer cases that have a verdict, the run is inconclusive. */
    min_judged_cases?: number | null | undefined;
    /** The least lower bound of the pass rate's 95 % interval. */
    min_lower_bound?: number | null | undefined;
    tags?: readonly {
      tag: string;
      /** The least weighted pass rate of the cases with this tag. */
      pass_threshold: number;
      /** With fewer cases that have a verdict, the gate is inconclusive. */
      min_judged_cases?: number | undefined;
    }[] | null | undefined;
    /** How many cases may fail that passed in the baseline. Without a baseline, the run is inconclusive. */
    max_newly_failing?: number | null | undefined;
    /** The run fails where it is worse than the baseline. Without a baseline, it is inconclusive. */
    regression?: {
      /** The share of comparisons of equal runs that may fail by chance. */
      alpha?: number | undefined;
      /** A smaller fall of the pass rate is no regression. */
      min_drop?: number | undefined;
    } | null | undefined;
    /** The least share of the weight that has to be comparable with the baseline; 0.8 without it. */
    min_comparable?: number | null | undefined;
    /** Without a check that shows it of every judge, the run is inconclusive. */
    judges?: {
      /** The least lower bound of the share of wrong answers that it catches. */
      min_caught: number;
      /** An older check proves nothing. */
      max_age_days?: number | undefined;
    } | null | undefined;
  } | undefined;
  /** Of which results a run keeps excerpts of input, expected and output. */
  keep_outputs?: 'failed' | 'all' | 'none' | undefined;
  /** Whether credentials of scope `run` see excerpts of what cases expect. */
  show_expected?: boolean | undefined;
  /** Whether credentials of scope `run` read the inputs of cases; a definition that leaves it out says true. */
  show_inputs?: boolean | undefined;
  /** Whether credentials of scope `run` see how single cases fared. It holds for runs that are accepted from then on. Suites made before this existed show them. */
  show_results?: boolean | undefined;
  expected_version?: number | undefined;
}

export interface SuitesUpdateAnswer {
  id: string;
  project_id: string;
  name: string;
  slug: string;
  /** Null for credentials of scope `run`. */
  description: string | null;
  pass_threshold: number;
  /** The bars beside `pass_threshold`; a PATCH replaces them all. */
  gates: Gates;
  /** Of which results a run keeps excerpts of input, expected and output. */
  keep_outputs: 'failed' | 'all' | 'none';
  /** Whether credentials of scope `run` see excerpts of what cases expect. */
  show_expected: boolean;
  /** Whether credentials of scope `run` read the inputs of cases; a definition that leaves it out says true. */
  show_inputs: boolean;
  /** Whether credentials of scope `run` see how single cases fared. It holds for runs that are accepted from then on. Suites made before this existed show them. */
  show_results: boolean;
  /** Grows by one with every change of the suite or a case of it. */
  version: number;
  created_at: string;
  updated_at: string;
  /** The default branch's newest that the plan retains, pending ones included; without one the newest of any; or null. */
  latest_run: LatestRun | null;
  /** What runs are compared with; null without one. */
  baseline_id: string | null;
  /** The last push that changed it, its cases or its scorers: the next one takes back what is edited by hand. */
  last_push: {
    at: string;
    by: Credential;
    /** Of a job: as its token says. */
    source: {
      repository?: string;
      ref?: string;
      sha?: string;
      path?: string;
    };
  } | null;
  warnings?: {
    /** As a verdict names it. */
    gate: string;
    code: 'GATE_CANNOT_PASS' | 'CASE_CANNOT_PASS' | 'NOTHING_CLEARS_IT' | 'SLIP_PASSES' | 'CONSTANT_CLEARS';
    /** The key of a case that shows it. */
    case?: string;
    /** What is wrong, and what to do. It quotes nothing that a case expects. */
    message: string;
    /** Of `SLIP_PASSES`: an output beside what the case expects, both shortened. Left out for scope `run`. */
    example?: string;
  }[];
}

export interface SuitesDeleteQuery {
  expected_version?: number | undefined;
}

export interface SuitesTryBody {
  /** Left out: the answer says only whether its cases can judge one output. At most 1 MB. */
  output?: string | undefined;
}

export interface SuitesTryAnswer {
  /** Why the cases cannot judge one output; null where they can. With an `output` such a suite is a 400. */
  refusal: string | null;
  scores: {
    case: string;
    case_name: string;
    score: number;
    threshold: number;
    passed: boolean;
    reason: string;
  }[];
}

export interface DefinitionsGetAnswer {
  definition_version: number;
  definition_digest: string;
  /** Of what decides a verdict. */
  suite_digest: string;
  last_push: {
    at: string;
    by: Credential;
    /** Of a job: as its token says. */
    source: {
      repository?: string;
      ref?: string;
      sha?: string;
      path?: string;
    };
  } | null;
  definition: Definition;
}

export interface DefinitionsPutBody {
  definition: {
    version: 1;
    suite: string;
    name?: string | undefined;
    description?: string | null | undefined;
    pass_threshold?: number | undefined;
    gates?: {
      /** With fewer cases that have a verdict, the run is inconclusive. */
      min_judged_cases?: number | null | undefined;
      /** The least lower bound of the pass rate's 95 % interval. */
      min_lower_bound?: number | null | undefined;
      tags?: readonly {
        tag: string;
        /** The least weighted pass rate of the cases with this tag. */
        pass_threshold: number;
        /** With fewer cases that have a verdict, the gate is inconclusive. */
        min_judged_cases?: number | undefined;
      }[] | null | undefined;
      /** How many cases may fail that passed in the baseline. Without a baseline, the run is inconclusive. */
      max_newly_failing?: number | null | undefined;
      /** The run fails where it is worse than the baseline. Without a baseline, it is inconclusive. */
      regression?: {
        /** The share of comparisons of equal runs that may fail by chance. */
        alpha?: number | undefined;
        /** A smaller fall of the pass rate is no regression. */
        min_drop?: number | undefined;
      } | null | undefined;
      /** The least share of the weight that has to be comparable with the baseline; 0.8 without it. */
      min_comparable?: number | null | undefined;
      /** Without a check that shows it of every judge, the run is inconclusive. */
      judges?: {
        /** The least lower bound of the share of wrong answers that it catches. */
        min_caught: number;
        /** An older check proves nothing. */
        max_age_days?: number | undefined;
      } | null | undefined;
    } | undefined;
    keep_outputs?: 'failed' | 'all' | 'none' | undefined;
    show_expected?: boolean | undefined;
    show_inputs?: boolean | undefined;
    show_results?: boolean | undefined;
    /** At most 1000 scorers. */
    scorers?: Readonly<Record<string, {
      type: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge';
      /** at most 128 kB of JSON. */
      config: Readonly<Record<string, unknown>>;
      name?: string | undefined;
      dual_sided?: boolean | undefined;
      precision_threshold?: number | null | undefined;
      recall_threshold?: number | null | undefined;
    }>> | undefined;
    cases?: readonly {
      /** Of the suite: its slug. */
      key: string;
      scorer: string;
      name?: string | undefined;
      description?: string | null | undefined;
      /** At most 256 kB of JSON. */
      input: Readonly<Record<string, unknown>>;
      /** At most 256 kB of JSON. */
      expected?: unknown | undefined;
      /** Must not hold an answer twice, nor in both lists; at most 32 kB of JSON. */
      examples?: {
        pass?: readonly string[] | undefined;
        fail?: readonly string[] | undefined;
      } | undefined;
      threshold?: number | undefined;
      weight?: number | undefined;
      is_active?: boolean | undefined;
      tags?: readonly string[] | undefined;
      must_pass?: boolean | undefined;
      advisory?: {
        owner: string;
        reason: string;
        /** From then on the case gates again. */
        expires_at: string;
      } | null | undefined;
      sample_count?: number | undefined;
      sample_pass_rate?: number | undefined;
    }[] | undefined;
  };
  /** Plans only: nothing is written. All that a credential of scope `run` may ask for. */
  dry_run?: boolean | undefined;
  /** Whether cases that the definition does not have are deleted, and scorers of pushes that no case uses. */
  prune?: boolean | undefined;
  /** Whether the bar may get weaker. */
  allow_weaker?: boolean | undefined;
  /** Of the plan that was shown: 409 when the suite has changed since. */
  expected_definition_version?: number | undefined;
  source?: {
    repository?: string | undefined;
    ref?: string | undefined;
    sha?: string | undefined;
    path?: string | undefined;
  } | undefined;
}

export interface DefinitionsPutAnswer {
  /** After the push. Of a dry run: as it is, for `expected_definition_version`. */
  definition_version: number;
  /** Of the suite as it is after the push. Of a dry run: as it would be. */
  definition_digest: string;
  /** `before` is null for a suite that the push creates, `after` in a dry run that creates cases, whose ids count. */
  suite_digest: {
    before: string | null;
    after: string | null;
  };
  /** Whether anything was written. */
  applied: boolean;
  /** Of the suite, then of scorers, then of cases. */
  changes: {
    kind: 'suite' | 'scorer' | 'case';
    /** Of the suite: its slug. */
    key: string;
    /** `keep`: the definition does not have it, and nothing is pruned. */
    action: 'create' | 'update' | 'delete' | 'keep';
    fields: Readonly<Record<string, {
      from?: unknown;
      to?: unknown;
    }>>;
    effect: 'stricter' | 'same' | 'weaker' | 'may be weaker' | 'another answer';
    /** Whether it was written since the last push by something that is no push. False of the order of cases. */
    by_hand: boolean;
  }[];
  /** Those of them that make the bar weaker, or may. */
  weaker: {
    kind: 'suite' | 'scorer' | 'case';
    /** Of the suite: its slug. */
    key: string;
    /** `keep`: the definition does not have it, and nothing is pruned. */
    action: 'create' | 'update' | 'delete' | 'keep';
    fields: Readonly<Record<string, {
      from?: unknown;
      to?: unknown;
    }>>;
    effect: 'stricter' | 'same' | 'weaker' | 'may be weaker' | 'another answer';
    /** Whether it was written since the last push by something that is no push. False of the order of cases. */
    by_hand: boolean;
  }[];
  /** Other suites of the project whose bar a changed scorer moves. */
  affects: {
    suite: string;
    scorers: string[];
  }[];
  /** Of the bar after the push: of up to 1,000 active cases, and where the push moves the bar, also what a probe finds. */
  warnings: {
    /** As a verdict names it. */
    gate: string;
    code: 'GATE_CANNOT_PASS' | 'CASE_CANNOT_PASS' | 'NOTHING_CLEARS_IT' | 'SLIP_PASSES' | 'CONSTANT_CLEARS';
    /** The key of a case that shows it. */
    case?: string;
    /** What is wrong, and what to do. It quotes nothing that a case expects. */
    message: string;
    /** Of `SLIP_PASSES`: an output beside what the case expects, both shortened. Left out for scope `run`. */
    example?: string;
  }[];
  /** Before this push. */
  last_push: {
    at: string;
    by: Credential;
    /** Of a job: as its token says. */
    source: {
      repository?: string;
      ref?: string;
      sha?: string;
      path?: string;
    };
  } | null;
  /** Of a first push: the suite that had the slug within 30 days. The changes are what differs from it. */
  replaces?: {
    suite_id: string;
    deleted_at: string;
  };
}

export interface CasesListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Only the one with this key: a list of one, or none. */
  key?: string | undefined;
  /** How each case fared lately is answered, too. */
  outcomes?: 'latest' | undefined;
}

export interface CasesListAnswer {
  id: string;
  suite_id: string;
  /** Only the one with this key: a list of one, or none. */
  key: string;
  name: string;
  description: string | null;
  input: Readonly<Record<string, unknown>>;
  expected: unknown;
  /** Replaced as a whole. */
  examples: {
    pass: string[];
    fail: string[];
  };
  scorer_id: string;
  threshold: number;
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight: number;
  is_active: boolean;
  tags: string[];
  must_pass: boolean;
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null;
  /** How many outputs the case takes. */
  sample_count: number;
  /** The share of them that has to pass; at least one. */
  sample_pass_rate: number;
  /** The position within the suite, from 0. */
  sort_order: number;
  created_at: string;
  updated_at: string;
  latest_outcome?: {
    run_id: string;
    created_at: string;
    passed: boolean;
    errored: boolean;
    missing: boolean;
    score: number;
    since: string;
    or_longer: boolean;
  } | null;
}

export interface CasesInputsQuery {
  /** `next_cursor` of the answer before. It is good for one version of the suite: 409 after a change. */
  cursor?: string | undefined;
}

export interface CasesInputsAnswer {
  data: {
    /** The key, by which outputs name it. */
    case: string;
    input: Readonly<Record<string, unknown>>;
    /** How many outputs it takes: its `sample_count`. */
    samples: number;
  }[];
  next_cursor: string | null;
}

export interface CasesCreateBody {
  name: string;
  /** Unique in the suite. Left out: made from the name. Must not have the form of a UUID. */
  key?: string | undefined;
  description?: string | null | undefined;
  /** At most 256 kB of JSON. */
  input: Readonly<Record<string, unknown>>;
  /** At most 256 kB of JSON. */
  expected?: unknown | undefined;
  /** Replaced as a whole. Must not hold an answer twice, nor in both lists; at most 32 kB of JSON. */
  examples?: {
    pass?: readonly string[] | undefined;
    fail?: readonly string[] | undefined;
  } | undefined;
  scorer_id: string;
  threshold?: number | undefined;
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight?: number | undefined;
  is_active?: boolean | undefined;
  tags?: readonly string[] | undefined;
  must_pass?: boolean | undefined;
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory?: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null | undefined;
  /** How many outputs the case takes. */
  sample_count?: number | undefined;
  /** The share of them that has to pass; at least one. */
  sample_pass_rate?: number | undefined;
}

export interface CasesCreateAnswer {
  id: string;
  suite_id: string;
  /** Unique in the suite. Left out: made from the name. */
  key: string;
  name: string;
  description: string | null;
  input: Readonly<Record<string, unknown>>;
  expected: unknown;
  /** Replaced as a whole. */
  examples: {
    pass: string[];
    fail: string[];
  };
  scorer_id: string;
  threshold: number;
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight: number;
  is_active: boolean;
  tags: string[];
  must_pass: boolean;
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null;
  /** How many outputs the case takes. */
  sample_count: number;
  /** The share of them that has to pass; at least one. */
  sample_pass_rate: number;
  /** The position within the suite, from 0. */
  sort_order: number;
  created_at: string;
  updated_at: string;
  warnings?: {
    /** As a verdict names it. */
    gate: string;
    code: 'GATE_CANNOT_PASS' | 'CASE_CANNOT_PASS' | 'NOTHING_CLEARS_IT' | 'SLIP_PASSES' | 'CONSTANT_CLEARS';
    /** The key of a case that shows it. */
    case?: string;
    /** What is wrong, and what to do. It quotes nothing that a case expects. */
    message: string;
    /** Of `SLIP_PASSES`: an output beside what the case expects, both shortened. Left out for scope `run`. */
    example?: string;
  }[];
}

export interface CasesUpdateBody {
  name?: string | undefined;
  /** Unique in the suite, and not of the form of a UUID, unless the case has it already. */
  key?: string | undefined;
  description?: string | null | undefined;
  /** At most 256 kB of JSON. */
  input?: Readonly<Record<string, unknown>> | undefined;
  /** At most 256 kB of JSON. */
  expected?: unknown | undefined;
  /** Replaced as a whole. Must not hold an answer twice, nor in both lists; at most 32 kB of JSON. */
  examples?: {
    pass?: readonly string[] | undefined;
    fail?: readonly string[] | undefined;
  } | undefined;
  scorer_id?: string | undefined;
  threshold?: number | undefined;
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight?: number | undefined;
  is_active?: boolean | undefined;
  tags?: readonly string[] | undefined;
  must_pass?: boolean | undefined;
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory?: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null | undefined;
  /** How many outputs the case takes. */
  sample_count?: number | undefined;
  /** The share of them that has to pass; at least one. */
  sample_pass_rate?: number | undefined;
  expected_version?: number | undefined;
}

export interface CasesUpdateAnswer {
  id: string;
  suite_id: string;
  /** Unique in the suite, and not of the form of a UUID, unless the case has it already. */
  key: string;
  name: string;
  description: string | null;
  input: Readonly<Record<string, unknown>>;
  expected: unknown;
  /** Replaced as a whole. */
  examples: {
    pass: string[];
    fail: string[];
  };
  scorer_id: string;
  threshold: number;
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight: number;
  is_active: boolean;
  tags: string[];
  must_pass: boolean;
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null;
  /** How many outputs the case takes. */
  sample_count: number;
  /** The share of them that has to pass; at least one. */
  sample_pass_rate: number;
  /** The position within the suite, from 0. */
  sort_order: number;
  created_at: string;
  updated_at: string;
  warnings?: {
    /** As a verdict names it. */
    gate: string;
    code: 'GATE_CANNOT_PASS' | 'CASE_CANNOT_PASS' | 'NOTHING_CLEARS_IT' | 'SLIP_PASSES' | 'CONSTANT_CLEARS';
    /** The key of a case that shows it. */
    case?: string;
    /** What is wrong, and what to do. It quotes nothing that a case expects. */
    message: string;
    /** Of `SLIP_PASSES`: an output beside what the case expects, both shortened. Left out for scope `run`. */
    example?: string;
  }[];
}

export interface CasesDeleteQuery {
  expected_version?: number | undefined;
}

export interface CasesReorderBody {
  case_ids: readonly string[];
  expected_version?: number | undefined;
}

export type CasesReorderAnswer = {
  id: string;
  suite_id: string;
  /** By it, or by its id, outputs name the case. That of a restored case is its id where another one has taken its key. */
  key?: string;
  name?: string;
  description?: string | null;
  input?: Readonly<Record<string, unknown>>;
  expected?: unknown;
  /** Replaced as a whole. */
  examples?: {
    pass: string[];
    fail: string[];
  };
  scorer_id?: string;
  threshold?: number;
  /** Its share in the pass rate. Bounded, so that a sum of 10,000 weights stays finite. */
  weight?: number;
  is_active: boolean;
  tags?: string[];
  must_pass?: boolean;
  /** Replaced as a whole. `expires_at` is at most 90 days ahead. A case that must pass can't be advisory. */
  advisory?: {
    owner: string;
    reason: string;
    /** From then on the case gates again. */
    expires_at: string;
  } | null;
  /** How many outputs the case takes. */
  sample_count?: number;
  /** The share of them that has to pass; at least one. */
  sample_pass_rate?: number;
  /** The position within the suite, from 0. */
  sort_order: number;
  created_at?: string;
  updated_at?: string;
}[];

export interface JudgeChecksStartAnswer {
  check_id: string;
  status: 'none' | 'pending' | 'done' | 'failed';
}

export interface JudgeChecksGetAnswer {
  status: 'none' | 'pending' | 'done' | 'failed';
  /** When the check ended that the figures are of. */
  at: string | null;
  judges: {
    /** The key of the scorer. */
    scorer: string;
    /** Of the scorer, as the deployment asked its judge. */
    scorer_digest: string;
    /** Null for answers in which the provider names no model. */
    answered_models: (string | null)[];
    /** The day on which the provider shuts the model down, where its list names one. */
    retires_on: string | null;
    fail: {
      sent: number;
      errored: number;
      /** The lower bound of the 95 % interval of what was caught, or accepted; 0 where none was sent. */
      lower: number;
      caught: number;
    };
    pass: {
      sent: number;
      errored: number;
      /** The lower bound of the 95 % interval of what was caught, or accepted; 0 where none was sent. */
      lower: number;
      accepted: number;
    };
    /** The judge's agreement with the examples beyond chance (Cohen). Null where chance alone agrees, or without examples. */
    kappa: number | null;
    /** Answers that no judge may pass: empty, a refusal, an opener without an answer, a request for full marks. */
    fixed: {
      sent: number;
      failed: number;
    };
  }[];
  /** At most 50, wrong answers that passed first; none 30 days after the check. */
  wrong: {
    /** The key of the case. */
    case: string;
    /** What was asked about: an example of the case, or a fixed answer. */
    kind: 'pass' | 'fail' | 'empty' | 'refusal' | 'opener' | 'injection';
    score: number;
    reason: string;
  }[];
  /** Examples beyond the 200 that a check asks about. */
  left_out: number;
}

export interface CasesHistoryQuery {
  /** How many runs are looked at. Those that did not have the case are left out of the answer. */
  limit?: number | undefined;
}

export interface CasesHistoryAnswer {
  data: {
    run_id: string;
    created_at: string;
    passed: boolean;
    errored: boolean;
    missing: boolean;
    score: number;
  }[];
  /** Earlier ones of these runs are left out: to read all would be too much. */
  truncated: boolean;
}

export interface ScorersListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Only the one with this key: a list of one, or none. */
  key?: string | undefined;
}

export interface ScorersCreateBody {
  name: string;
  /** Unique in the project. Left out: made from the name. Must not have the form of a UUID. */
  key?: string | undefined;
  type: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge';
  /** Depends on the type, whose own schema checks it when the scorer is written. At most 128 kB of JSON. */
  config: Readonly<Record<string, unknown>>;
  dual_sided?: boolean | undefined;
  precision_threshold?: number | null | undefined;
  recall_threshold?: number | null | undefined;
}

export interface ScorersUpdateBody {
  name?: string | undefined;
  /** Unique in the suite, and not of the form of a UUID, unless the case has it already. */
  key?: string | undefined;
  type?: 'exact_match' | 'regex' | 'json_schema' | 'contains' | 'json_path' | 'similarity' | 'metric' | 'trajectory' | 'llm_judge' | undefined;
  /** Depends on the type, whose own schema checks it when the scorer is written. At most 128 kB of JSON. */
  config?: Readonly<Record<string, unknown>> | undefined;
  dual_sided?: boolean | undefined;
  precision_threshold?: number | null | undefined;
  recall_threshold?: number | null | undefined;
  expected_version?: number | undefined;
}

export interface ScorersDeleteQuery {
  expected_version?: number | undefined;
}

export interface ScorersTryBody {
  /** At most 1 MB. Left out beside a trace: its agent's last text. */
  output?: string | undefined;
  /** The calls of tools in their order, in evalgate's form. At most 256 kB, 1,000 calls. */
  trace?: readonly unknown[] | undefined;
  /** In its place: a list as the API of OpenAI or Anthropic takes or gives it. */
  messages?: readonly unknown[] | undefined;
  /** At most 2 kB of JSON. */
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** No scorer that may be tried reads it. At most 256 kB of JSON. */
  input?: Readonly<Record<string, unknown>> | undefined;
  /** At most 256 kB of JSON. */
  expected?: unknown | undefined;
  /** Of the case: the score from which on it passes. */
  threshold?: number | undefined;
}

export interface ScorersTryAnswer {
  score: number;
  passed: boolean;
  reason: string;
  scorer_output: Readonly<Record<string, unknown>>;
}

export interface HistoryRevisionsQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface HistoryDiffQuery {
  /** Another bar that runs were judged by; left out: the suite as it is now. */
  to?: string | undefined;
}

export interface HistorySuiteChangesQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface HistoryScorerChangesQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface HistoryProjectChangesQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface HistoryOrganisationChangesQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface ByokKeysListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** The slug of a project, whose own keys are listed. */
  project?: string | undefined;
}

export interface ByokKeysCreateBody {
  provider: 'openai' | 'anthropic' | 'google' | 'azure_openai' | 'provider_a' | 'provider_b' | 'provider_c' | 'provider_a_cloud';
  key: string;
  name?: string | null | undefined;
  /** The slug of the one project whose judges use it, before a key of the organisation; left out: all projects. */
  project?: string | undefined;
  /** Whether judges of this provider use this key; it replaces the previous default of the organisation or project. */
  is_default?: boolean | undefined;
}

export interface ByokKeysTestBody {
  /** As in a judge's config. Azure's names the endpoint, and is needed if the deployment has no default. Must not be empty: name one, or leave it out for the default. */
  model?: string | undefined;
}

export interface ByokKeysTestAnswer {
  valid: boolean;
  provider: 'openai' | 'anthropic' | 'google' | 'azure_openai' | 'provider_a' | 'provider_b' | 'provider_c' | 'provider_a_cloud';
}

export interface RunsCreateBody {
  suite: string;
  /** The project's slug; needed only if two projects have a suite of this slug. */
  project?: string | undefined;
  /** The one output that all cases see. Either this or `outputs`. At most 1 MB. */
  output?: string | undefined;
  /** The calls of tools in their order, in evalgate's form. At most 256 kB, 1,000 calls. */
  trace?: readonly unknown[] | undefined;
  /** In its place: a list as the API of OpenAI or Anthropic takes or gives it. */
  messages?: readonly unknown[] | undefined;
  /** One output for each case, or as many as the case takes; 1 to 20,000 in all. */
  outputs?: readonly OutputItem[] | undefined;
  /** Refused with 409 when it is not the suite's, so that no output is judged by an unseen bar. */
  suite_digest?: string | undefined;
  /** At most 256 kB of JSON. */
  input?: Readonly<Record<string, unknown>> | undefined;
  trigger?: 'sdk' | 'cli' | 'github_action' | 'dashboard' | 'api' | undefined;
  /** At most 16 kB of JSON. */
  trigger_meta?: Readonly<Record<string, unknown>> | undefined;
  /** Judges are asked, whatever the suite remembers of them; needs the scope `suites`. */
  judge_again?: boolean | undefined;
  /** If true, the answer is 202 at once, and the run is evaluated later. */
  async?: boolean | undefined;
}

export interface RunsListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** Of the default branch also the runs that name nothing. Either this or `pull_request`. */
  branch?: string | undefined;
  /** The number. */
  pull_request?: string | undefined;
}

export interface RunsStatementAnswer {
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json';
  verificationMaterial: {
    publicKey: {
      hint: string;
    };
    tlogEntries: unknown[];
  };
  dsseEnvelope: {
    payloadType: 'application/vnd.in-toto+json';
    /** Base64 of an in-toto statement: the outputs, the bar, the figures and the job of the run. */
    payload: string;
    signatures: {
      keyid: string;
      sig: string;
    }[];
  };
}

export interface RunsResultsQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
  /** As the run's figures count: an errored and a missing one failed, too. */
  outcome?: 'failed' | 'errored' | 'passed' | 'missing' | undefined;
  /** Only those of cases with this tag. */
  tag?: string | undefined;
  /** Only those whose case name, key or reason holds this text, in any case of letters. */
  q?: string | undefined;
  sort?: 'gravity' | 'score' | 'latency_ms' | 'total_tokens' | 'cost_usd' | undefined;
}

export interface BaselinesAcceptBody {
  /** Must not name a run twice. */
  run_ids: readonly string[];
  reason?: string | null | undefined;
}

export interface BaselinesAcceptAnswer {
  id: string;
  suite_id: string;
  run_ids: string[];
  /** The bar that judged its runs. */
  suite_digest: string;
  /** Whether each case saw the run's one output, or its own. */
  kind: 'output' | 'outputs';
  /** The mean of its runs; of those with one `outputs_digest` the first counts. */
  pass_rate: number;
  cases: number;
  accepted_by: Credential;
  reason: string | null;
  created_at: string;
  notices: {
    code: 'BASELINE_LOW' | 'BASELINE_OPTIMISTIC' | 'BASELINE_UNJUDGED' | 'BASELINE_COPIES' | 'BASELINE_UNUSED';
    message: string;
  }[];
}

export interface BaselinesListQuery {
  page?: number | undefined;
  pageSize?: number | undefined;
}

export interface BaselinesListAnswer {
  id: string;
  suite_id: string;
  run_ids: string[];
  /** The bar that judged its runs. */
  suite_digest: string;
  /** Whether each case saw the run's one output, or its own. */
  kind: 'output' | 'outputs';
  /** The mean of its runs; of those with one `outputs_digest` the first counts. */
  pass_rate: number;
  cases: number;
  accepted_by: Credential;
  reason: string | null;
  created_at: string;
  notices: {
    code: 'BASELINE_LOW' | 'BASELINE_OPTIMISTIC' | 'BASELINE_UNJUDGED' | 'BASELINE_COPIES' | 'BASELINE_UNUSED';
    message: string;
  }[];
}

export interface BaselinesGetAnswer {
  id: string;
  suite_id: string;
  run_ids: string[];
  /** The bar that judged its runs. */
  suite_digest: string;
  /** Whether each case saw the run's one output, or its own. */
  kind: 'output' | 'outputs';
  /** The mean of its runs; of those with one `outputs_digest` the first counts. */
  pass_rate: number;
  cases: number;
  accepted_by: Credential;
  reason: string | null;
  created_at: string;
  notices: {
    code: 'BASELINE_LOW' | 'BASELINE_OPTIMISTIC' | 'BASELINE_UNJUDGED' | 'BASELINE_COPIES' | 'BASELINE_UNUSED';
    message: string;
  }[];
}

export interface ComparisonsGetQuery {
  /** A run of the same suite. Left out: the baseline that the run was judged with, else the current one. */
  baseline?: string | undefined;
}

export interface ComparisonsGetAnswer {
  run_id: string;
  baseline: {
    /** Null where the query names a run. */
    id: string | null;
    run_ids: string[];
    created_at: string;
    /** The run that the query names; else null. */
    run: {
      status: 'pending' | 'cleared' | 'aborted';
      inconclusive: boolean;
      created_by: Credential;
      trigger_meta: Readonly<Record<string, unknown>>;
      branch: string | null;
      pull_request: string | null;
      is_default_branch: boolean;
    } | null;
  };
  /** Whether enough of the weight is compared: see `gates.min_comparable`. */
  comparable: boolean;
  /** The share of the weight that is compared. */
  coverage: number;
  notices: {
    code: string;
    message: string;
  }[];
  counts: {
    /** Includes unstable ones. */
    compared: number;
    newly_failing: number;
    newly_passing: number;
    /** The same output was judged otherwise than before. */
    unstable: number;
    changed: number;
    /** Only the run has them. */
    added: number;
    /** Only the baseline has them. */
    missing: number;
    /** Errored in one of the two. */
    unjudged: number;
  };
  /** Over the compared cases. */
  pass_rate: {
    baseline: number;
    /** The run that the query names; else null. */
    run: number;
    difference: number;
    lower: number;
    upper: number;
    confidence: number;
  };
  test: {
    /** Approximate where the weights have too many sums. */
    method: 'exact_conditional_mid_p' | 'approximate_conditional_mid_p';
    alternative: 'worse';
    p_value: number;
    /** Null where the p-value is approximate. */
    p_value_exact: number | null;
    informative_cases: number;
  };
  /** The least real drop that the test would see four times in five. */
  detectable_drop: number;
  /** At most 100 of each, the gravest first. */
  cases: {
    newly_failing: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      baseline_score: number;
      score: number;
      reason: string;
    }[];
    newly_passing: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      baseline_score: number;
      score: number;
      reason: string;
    }[];
    /** The same output was judged otherwise than before. */
    unstable: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      baseline_score: number;
      score: number;
      reason: string;
    }[];
    changed: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      baseline_score: number;
      score: number;
      reason: string;
      /** Another kind of output, another case or scorer, advisory in one of the two only, or judged by another model. */
      why: 'KIND' | 'BAR' | 'ADVISORY' | 'JUDGE_DRIFT';
    }[];
    /** Only the run has them. */
    added: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      score: number;
      reason: string;
    }[];
    /** Only the baseline has them. */
    missing: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      baseline_score: number;
    }[];
    /** Errored in one of the two. */
    unjudged: {
      case_id: string;
      key: string;
      case: string;
      threshold: number;
      weight: number;
      must_pass: boolean;
      baseline_score: number;
      score: number;
      reason: string;
    }[];
  };
}

export interface WaiversCreateBody {
  reason: string;
  /** At most 30 days ahead. */
  expires_at: string;
}

export interface WaiversCreateAnswer {
  id: string;
  /** The run that was waived. Later runs of the same bar and outputs carry its waiver. */
  run_id: string;
  suite_digest: string;
  outputs_digest: string;
  reason: string;
  waived_by: Credential;
  created_at: string;
  expires_at: string;
  /** False from `expires_at` on. */
  active: boolean;
}

export interface AnalyticsTrendsQuery {
  days?: number | undefined;
  /** Left out: the runs of all branches. */
  branch?: 'default' | undefined;
}

export interface BillingUsageAnswer {
  plan: 'free' | 'pro' | 'scale' | 'enterprise';
  plan_name: string;
  /** -1: unlimited. */
  monthly_limit: number;
  current_usage: number;
  retention_days: number;
  /** Above 100 beyond the monthly runs; two decimals. */
  usage_percentage: number;
  /** Of the plan and of the service. */
  limits: {
    /** -1: unlimited. */
    monthly_runs: number;
    retention_days: number;
    api_keys: number;
    projects: number;
    suites_per_project: number;
    scorers_per_project: number;
    cases_per_suite: number;
    /** Of the organisation itself; those of its projects are not among them. */
    byok_keys: number;
    byok_keys_per_project: number;
    /** At one provider. */
    judge_calls_at_once: number;
    waiting_judged_outputs: number;
  };
  /** Projects with runs this month, the most first; together `current_usage`. */
  by_project: {
    /** Null: counted without a project. */
    project_id: string | null;
    /** Both null without a project, and 30 days after the project was deleted. */
    slug: string | null;
    name: string | null;
    is_deleted: boolean;
    runs: number;
  }[];
}

export interface BillingCheckoutBody {
  plan: 'pro' | 'scale';
  /** The page after the checkout; left out, it is a page of this service. Must be an absolute http or https URL without user information. */
  success_url?: string | undefined;
  /** Must be an absolute http or https URL without user information. */
  cancel_url?: string | undefined;
}

export interface BillingCheckoutAnswer {
  checkout_url: string;
}

export interface BillingPortalAnswer {
  portal_url: string;
}
