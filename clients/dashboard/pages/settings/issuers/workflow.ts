interface Facts {
  /** Of this service. */
  readonly url: string;
  /** Its id. */
  readonly organisation: string;
  /** Slug; undefined: one that the reader puts in. */
  readonly project: string | undefined;
}

/** As JSON has it, YAML has it, too. */
const quoted = (text: string): string => JSON.stringify(text);

/** Only a runner on the machine itself reaches a service of its loopback address. */
const runnerOf = (url: string): string =>
  /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|$)/.test(url) ? 'self-hosted' : 'ubuntu-latest';

/** What runs a gate in a trusted repository: without a stored key. */
export const workflowOf = ({ url, organisation, project }: Facts): string => `name: Gate
on: { pull_request: {}, push: { branches: [main] } }
permissions: { contents: read, id-token: write, pull-requests: write }
jobs:
  gate:
    runs-on: ${runnerOf(url)}
    steps:
      - uses: actions/checkout@v5
      # Your program: it writes {"case": "…", "output": "…"} for each case.
      - run: ./answer.sh > answers.jsonl
      - uses: OWNER/evalgate@<sha> # a commit of this service's repository
        with:
          url: ${quoted(url)}
          organisation: ${quoted(organisation)}
          project: ${project === undefined ? '<slug>' : quoted(project)}
          suite: <slug>
          outputs-file: answers.jsonl
`;
