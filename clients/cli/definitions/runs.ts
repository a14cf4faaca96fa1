import { type Definitions, repeated } from './act.ts';

const REPORT =
  'text, json, jsonl, junit, ctrf, otel, markdown or github; to a file, or to stdout; repeatable';

const NO_WAIVERS = 'exit code 1 for an aborted run, even if it is waived';

/** Commands that run gates, wait for their verdicts, and read what there is. */
export const runs: Definitions = {
  run: (command, act) =>
    command
      .summary('run a gate and wait for its verdict')
      .description(
        'Runs a gate and waits for its verdict: exit code 0 when it is cleared, 1 when it is aborted.',
      )
      .argument('<suite>', 'slug of the suite')
      .option('--output <file>', 'the one answer for all cases; - is stdin')
      .option(
        '--outputs <file.jsonl>',
        'one answer for each case, one JSON object a line or a list; - is stdin; repeatable: files are joined',
        repeated,
      )
      .option('--map <paths>', 'where other lines or a CSV have them: case=$.id,output=$.text')
      .option('--input <json>', 'what was asked, as a JSON object, or @file')
      .option('--meta <key=value>', 'kept with the run, such as sha=1f2e3d; repeatable', repeated)
      .option('--async', 'print the id of the run and do not wait')
      .option('--wait <duration>', 'how long to wait, such as 90s, 15m or 1h', '30m')
      .option('--idempotency-key <key>', 'commands with the same key and options are one run, for 24 hours')
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
      .summary('what a suite asks, one case a line, for a program that answers')
      .description(
        'Prints {"case", "input", "samples"} of each active case of a suite, one a line: never what is expected.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .examples('evalgate cases returns', 'evalgate cases returns | ./answer-all.sh > answers.jsonl')
      .action(act(async () => (await import('../commands/ask/cases.ts')).cases)),

  ask: (command, act) =>
    command
      .summary('have a command answer each case of a suite')
      .description(
        'Runs a command for each case of a suite, as often as the case takes outputs. It reads the input as JSON on\n' +
          'stdin; what it prints is the output, and another exit code than 0 an error. None is tried again.\n' +
          'EVALGATE_CASE and EVALGATE_SAMPLE say which one it is.',
      )
      .argument('<suite>', 'slug or id of the suite')
      .argument('[command...]', 'the command and its arguments, behind --')
      .option('--out <file.jsonl>', 'where the outputs go, as they come', 'outputs.jsonl')
      .option(
        '--resume',
        'keep what the same command answered to the same inputs, and ask for all others, failed ones included',
      )
      .option('--overwrite', 'drop the outputs that the file has')
      .option('--jobs <count>', 'so many commands at once', '4')
      .option('--timeout <duration>', 'for one command, with all that it starts, such as 90s', '2m')
      .option('--run', 'then run the gate, as `evalgate run` does')
      .option('--meta <key=value>', 'kept with the run, such as sha=1f2e3d; repeatable', repeated)
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
      .summary('wait for the verdict of a run that was sent before')
      .argument('<run>', 'id of the run')
      .option('--wait <duration>', 'how long to wait, such as 90s, 15m or 1h', '30m')
      .option('--report <format[=file]>', REPORT, repeated)
      .option('--no-waivers', NO_WAIVERS)
      .examples('evalgate wait $(evalgate run returns --output answer.txt --async)')
      .action(act(async () => (await import('../commands/wait.ts')).wait)),

  results: (command, act) =>
    command
      .summary('the results of a run')
      .argument('<run>', 'id of the run')
      .option('--failed', 'only those that did not pass')
      .examples('evalgate results run_3kT --failed', 'evalgate results run_3kT --json')
      .action(act(async () => (await import('../commands/results.ts')).results)),

  runs: (command, act) =>
    command
      .summary("a suite's runs, newest first, or every suite with its latest run")
      .argument('[suite]', 'slug or id of the suite')
      .option('--limit <count>', 'at most so many', '20')
      .option('--branch <name>', 'only runs of this branch')
      .option('--pull-request <number>', 'only runs of this pull request')
      .examples('evalgate runs', 'evalgate runs returns --branch main')
      .action(act(async () => (await import('../commands/runs.ts')).runs)),

  trends: (command, act) =>
    command
      .summary("a suite's days with runs")
      .argument('<suite>', 'slug or id of the suite')
      .option('--days <count>', 'how many days back, at most 90', '30')
      .examples('evalgate trends returns --days 7')
      .action(act(async () => (await import('../commands/analytics.ts')).trends)),

  regressions: (command, act) =>
    command
      .summary('the cases that the latest run failed and the one before passed')
      .argument('<suite>', 'slug or id of the suite')
      .examples('evalgate regressions returns')
      .action(act(async () => (await import('../commands/analytics.ts')).regressions)),
};
