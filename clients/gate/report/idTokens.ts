import type { TrustedIssuer } from '../../sdk/index.ts';

type Provider = TrustedIssuer['provider'];

/** Conditions of a registration by the names of claims: values of one name are alternatives. */
export function claimsOfPairs(
  pairs: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, string | readonly string[]>> {
  const claims = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...claims].map(([name, alternatives]) => {
      const [first = '', ...otherValues] = alternatives.map(([, value]) => value);
      return [name, otherValues.length === 0 ? first : [first, ...otherValues]];
    }),
  );
}

export interface JobPlace {
  /** Of the service. */
  readonly url: string;
  /** Its id. */
  readonly organisation: string;
}

const EXPORTS = ({ url, organisation }: JobPlace): string =>
  `export EVALGATE_URL=${url} EVALGATE_ORG=${organisation}\n`;
const RUN = 'evalgate run <suite> --outputs answers.jsonl\n';
const AUDIENCE = '"evalgate:$EVALGATE_ORG"';

/** What lets a job of a system come in by its ID token: a part of its configuration, or the lines of a script. */
export function jobSnippet(provider: Provider, place: JobPlace): string {
  const { url, organisation } = place;
  if (provider === 'gitlab')
    return `gate: # .gitlab-ci.yml
  image: node:24
  id_tokens: { EVALGATE_ID_TOKEN: { aud: "evalgate:${organisation}" } }
  variables: { EVALGATE_URL: "${url}" }
  script:
    - npm install --global "$EVALGATE_URL/client/evalgate.tgz"
    - evalgate run <suite> --outputs answers.jsonl
`;
  if (provider === 'buildkite')
    return `${EXPORTS(place)}export EVALGATE_ID_TOKEN=$(buildkite-agent oidc request-token --audience ${AUDIENCE} --claim pipeline_id)\n${RUN}`;
  if (provider === 'circleci')
    return `${EXPORTS(place)}export EVALGATE_ID_TOKEN=$(circleci run oidc get --claims "{\\"aud\\": \\"evalgate:$EVALGATE_ORG\\"}")\n${RUN}`;
  return `# Jenkins: the credential "OpenID Connect id token", with the audience evalgate:${organisation}
withCredentials([string(credentialsId: 'evalgate', variable: 'EVALGATE_ID_TOKEN')]) {
  withEnv(['EVALGATE_URL=${url}']) {
    sh 'evalgate run <suite> --outputs answers.jsonl'
  }
}
`;
}
