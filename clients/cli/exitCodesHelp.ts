export const EXIT_CODES_HELP = `Exit codes of all commands:

  0    The run was cleared, or aborted and is waived (\`--no-waivers\`: 1), or the command succeeded.
  1    The run was aborted by its verdict, and nothing else. \`diff --exit-code\`: there are changes.
       \`verify\`: a condition does not hold.
  2    You must change something: the command line, a file, a setting, the credential.
       The service refused the request (400, 401, 403, 404, 409, 413, 414, 422).
  3    There is no verdict: the run is inconclusive or still pending, the service could not be reached
       or failed, the rate limit or the runs of the month are used up (402).
  130  Interrupted by Ctrl-C. A pending run goes on.
`;
