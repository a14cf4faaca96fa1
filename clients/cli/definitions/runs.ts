import { type Definitions, repeated } from './act.ts';

const REPORT =
  'text, json, jsonl, junit, ctrf, otel, markdown or github, written to the file, else to stdout; repeatable';

const NO_WAIVERS = 'exit with 1 for an aborted run, even if it is waived';

/** Commands that run gates, wait for their verdicts, and read what there is. */
export const runs: Definitions = {
  run: (command, act) =>
    command
      .summary('run a gate and wait for its verdict')
      .description('Runs a gate and waits for its verdict. Exit code 0: cleared, 1: aborted.')
      .argument('<suite>', 'slug of the suite')
      .option('--output <file>', 'one output for all cases; - reads stdin')
      .option(
        '--outputs <file.jsonl>',
        'an output for each case, as JSON lines or a JSON list; - reads stdin; repeatable: files are joined',
        repeated,
      )
      .option('--map <paths>', 'where other JSON or CSV has case and output: case=$.id,output=$.text')
      .option('--input <json>', 'the input that was answered, as a JSON object or @file')
      .option('--meta <key=value>', 'saved with the run, such as sha=1f2e3d; repeatable', repeated)
      .option('--async', 'print the id of the run and do not wait')
      .option('--wait <duration>', 'how long to wait, such as 90s, 15m or 1h', '30m')
      .option(
        '--idempotency-key <key>',
        'for 24 hours, commands with this key and the same options start only one run',
      )
      .option('--report <format[=file]>', REPORT, repeated)
      .option('--no-waivers', NO_WAIVERS)
      .examples(
        'evalgate run returns --output answer.txt',
        'evalgate run answers --outputs answers.jsonl --report junit=report.xml',
        './answer.sh | evalgate run returns --output - --meta sha=$(git rev-parse HEAD)',
      )
      .action(act(async () => (await import('../commands/run.ts')).run)),

  cases: (command, act) =>
    command
      .summary('print the inputs of a suite, one case a line, for a program that answers')
      .description(
        'Prints {"case", "input", "samples"} of each active case of a suite, one a line, without expected answers.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .examples('evalgate cases returns', 'evalgate cases returns | ./answer-all.sh > answers.jsonl')
      .action(act(async () => (await import('../commands/ask/cases.ts')).cases)),

  ask: (command, act) =>
    command
      .summary('run a command for each case of a suite, and save its outputs')
      .description(
        'Runs a command for each case of a suite, once for each sample. The command reads the input as JSON on stdin and prints the ' +
          'output; an exit code other than 0 is an error. A command that fails is run again only by --resume.\n' +
          'EVALGATE_CASE and EVALGATE_SAMPLE name the case and the sample.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .argument('[command...]', 'the command and its arguments, after --')
      .option('--out <file.jsonl>', 'file for the outputs, written as they come', 'outputs.jsonl')
      .option(
        '--resume',
        'keep the outputs in the file of the same command and inputs; run the command for all other cases, also those that failed',
      )
      .option('--overwrite', 'discard the outputs in the file')
      .option('--jobs <count>', 'how many commands run at once', '4')
      .option(
        '--timeout <duration>',
        'time limit for one command, with all that it starts, such as 90s',
        '2m',
      )
      .option('--run', 'then run the gate, as `evalgate run` does')
      .option('--meta <key=value>', 'saved with the run, such as sha=1f2e3d; repeatable', repeated)
      .option('--wait <duration>', 'how long to wait for the run, such as 90s, 15m or 1h', '30m')
      .option('--report <format[=file]>', REPORT, repeated)
      .option('--no-waivers', NO_WAIVERS)
      .examples(
        'evalgate ask returns -- python answer.py',
        'evalgate ask returns --run --jobs 8 -- node answer.mjs --model small',
        'evalgate ask returns --resume -- python answer.py',
      )
      .action(act(async () => (await import('../commands/ask/ask.ts')).ask)),

  wait: (command, act) =>
    command
      .summary('wait for the verdict of a run that was started before')
      .argument('<run>', 'id of the run')
      .option('--wait <duration>', 'how long to wait, such as 90s, 15m or 1h', '30m')
      .option('--report <format[=file]>', REPORT, repeated)
      .option('--no-waivers', NO_WAIVERS)
      .examples('evalgate wait $(evalgate run returns --output answer.txt --async)')
      .action(act(async () => (await import('../commands/wait.ts')).wait)),

  results: (command, act) =>
    command
      .summary('list the results of a run')
      .argument('<run>', 'id of the run')
      .option('--failed', 'only results that did not pass')
      .examples('evalgate results run_3kT --failed', 'evalgate results run_3kT --json')
      .action(act(async () => (await import('../commands/results.ts')).results)),

  statement: (command, act) =>
    command
      .summary('print the signed statement of a cleared run')
      .description(
        'Prints a file that proves, without the service, which bar cleared which outputs. Only cleared runs have one.',
      )
      .argument('<run>', 'id of the run')
      .option('--out <file>', 'write it into this file')
      .examples('evalgate statement run_3kT --out statement.json')
      .action(act(async () => (await import('../commands/statement.ts')).statement)),

  verify: (command, act) =>
    command
      .summary('verify a statement, without network and credential')
      .description(
        'Verifies that a suite cleared outputs, by a statement and keys that you keep. Nothing is sent, and evalgate.yaml is not read.\n' +
          'Exit code 0: authentic, and every condition holds. 1: a condition does not hold. 2: not authentic, or no statement.',
      )
      .argument('<file>', 'the statement; - reads stdin')
      .option('--keys <file>', 'the key set of the service, or a PEM file: required')
      .option('--organisation <id>', 'whose suite it was: required')
      .option('--suite <slug>', 'the suite, of --project <slug>: both are required')
      .option('--commit <sha>', 'the commit that the job was started for, in full')
      .option('--repository <name>', 'the repository of the job, such as octo-org/support-bot')
      .option('--ref <ref>', 'the ref of the job, such as refs/heads/main')
      .option('--workflow <file>', 'the workflow file of the job, or the whole reference of a reusable one')
      .option('--bar <digest>', 'the digest of the bar: sha256: and 64 digits')
      .option('--bar-stood <duration>', 'the bar was in force so long before the outputs came, such as 24h')
      .option('--max-age <duration>', 'the verdict is no older, such as 30d')
      .option('--predicate <file>', 'write what was signed about the run into this file')
      .examples(
        'evalgate verify statement.json --keys keys.json --organisation 5f1c9a86-3b7d-4c21-9e0f-6a2b8d4c7e13 --project support-bot --suite returns',
        'evalgate verify statement.json --keys keys.json --organisation $ORG --project support-bot --suite returns --commit $GITHUB_SHA --ref refs/heads/main',
      )
      .action(act(async () => (await import('../commands/verify/verify.ts')).verify)),

  runs: (command, act) =>
    command
      .summary("list a suite's runs, newest first, or every suite with its latest run")
      .argument('[suite]', 'slug or id of the suite')
      .option('--limit <count>', 'at most this many', '20')
      .option('--branch <name>', 'only runs of this branch')
      .option('--pull-request <number>', 'only runs of this pull request')
      .examples('evalgate runs', 'evalgate runs returns --branch main')
      .action(act(async () => (await import('../commands/runs.ts')).runs)),

  check: (command, act) =>
    command
      .summary("ask a suite's judges about the examples of its cases")
      .description(
        "Asks a suite's judges about the examples of its cases, and waits. Exit code 1: a judge passed a wrong answer, failed a good one, or " +
          'could not judge.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .examples('evalgate check returns')
      .action(act(async () => (await import('../commands/check.ts')).check)),

  trends: (command, act) =>
    command
      .summary("show a suite's pass rates by day")
      .argument('<suite>', 'slug or id of the suite')
      .option('--days <count>', 'how many days back, at most 90', '30')
      .examples('evalgate trends returns --days 7')
      .action(act(async () => (await import('../commands/analytics.ts')).trends)),

  regressions: (command, act) =>
    command
      .summary('list the cases that failed in the latest run and passed in the one before')
      .argument('<suite>', 'slug or id of the suite')
      .examples('evalgate regressions returns')
      .action(act(async () => (await import('../commands/analytics.ts')).regressions)),
};
