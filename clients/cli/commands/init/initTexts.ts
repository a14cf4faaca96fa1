/** The first files, as `init` writes them. */

export const CONFIG_TEXT = `version: 1
# Where the service is:
# url: https://gate.example.com
# The slug of the project that the suites belong to:
# project: support-bot
suites: [evals/**/*.suite.yaml]
`;

export const suiteText = (suite: string): string => `version: 1
suite: ${suite}
description: What each answer has to say before a release
pass_threshold: 1

scorers:
  says-30-days: { type: contains, config: { values: ["30 days"] } }
  promises-nothing: { type: regex, config: { pattern: "guarantee|promise", flags: i, should_match: false } }

cases:
  - key: return-window
    input: { question: How long can I return it? }
    scorer: says-30-days
  - key: no-promises
    input: { question: Will I get my money back? }
    scorer: promises-nothing
`;

/** The gate of pushes, by the job's own token, as docs/ci.md explains it. */
export const gateText = (suite: string): string => `name: Gate
on:
  push:
    branches: [main]
permissions:
  contents: read
  id-token: write # lets the job ask GitHub for its OIDC token
jobs:
  gate:
    runs-on: ubuntu-latest
    env:
      EVALGATE_URL: https://evalgate.example.com
      EVALGATE_ORG: 00000000-0000-4000-8000-000000000000
    steps:
      - uses: actions/checkout@v5
      - run: ./answer.sh > answer.txt # your program: it writes what the candidate answers
      - name: Gate
        shell: bash
        run: |
          for try in 1 2 3 4 5; do # each with a new OIDC token, for one is good for one exchange
            [ "$try" = 1 ] || sleep 20
            oidc=$(curl -sS --fail-with-body "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=evalgate:$EVALGATE_ORG" \\
              -H "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" | jq -er .value) &&
              token=$(curl -sS --fail-with-body -X POST "$EVALGATE_URL/v1/auth/token" \\
                -H "Authorization: Bearer $oidc" | jq -er '.data.token // empty') && break
          done
          echo "::add-mask::\${token:?could not be had}"
          api() { curl -sS --compressed --fail-with-body --retry 4 -H "Authorization: Bearer $token" "$@"; }

          run=$(jq -n --rawfile output answer.txt --arg sha "$GITHUB_SHA" \\
              '{suite: "${suite}", output: $output, trigger: "github_action", trigger_meta: {sha: $sha}}' |
            api "$EVALGATE_URL/v1/run" -H 'Content-Type: application/json' \\
              -H "Idempotency-Key: $GITHUB_RUN_ID-$GITHUB_RUN_ATTEMPT" -d @-)
          id=$(jq -er .id <<< "$run")
          while [ "$(jq -r .status <<< "$run")" = pending ]; do
            sleep 2
            run=$(api "$EVALGATE_URL/v1/runs/$id" | jq .data)
          done
          api "$EVALGATE_URL/v1/runs/$id/results" | jq -r '.data[] | select(.passed | not) | "\\(.case_name): \\(.reason)"'
          jq -e '.status == "cleared"' <<< "$run"
`;
