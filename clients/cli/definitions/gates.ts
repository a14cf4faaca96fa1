import { type Definitions, repeated } from './act.ts';

const REPORT = 'text, json, jsonl, junit, markdown or github; to a file, or to stdout; repeatable';

/** Commands that run gates and wait for their verdicts. */
export const gates: Definitions = {
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
        'one answer for each case, one JSON object a line or a list; - is stdin',
      )
      .option('--input <json>', 'what was asked, as a JSON object, or @file')
      .option('--meta <key=value>', 'kept with the run, such as sha=1f2e3d; repeatable', repeated)
      .option('--async', 'print the id of the run and do not wait')
      .option('--wait <duration>', 'how long to wait, such as 90s, 15m or 1h', '30m')
      .option('--idempotency-key <key>', 'commands with the same key and options are one run, for 24 hours')
      .option('--report <format[=file]>', REPORT, repeated)
      .examples(
        'evalgate run returns --output answer.txt',
        'evalgate run answers --outputs answers.jsonl --report junit=report.xml',
        './answer.sh | evalgate run returns --output - --meta sha=$(git rev-parse HEAD)',
      )
      .action(act(async () => (await import('../commands/run.ts')).run)),

  wait: (command, act) =>
    command
      .summary('wait for the verdict of a run that was sent before')
      .argument('<run>', 'id of the run')
      .option('--wait <duration>', 'how long to wait, such as 90s, 15m or 1h', '30m')
      .option('--report <format[=file]>', REPORT, repeated)
      .examples('evalgate wait $(evalgate run returns --output answer.txt --async)')
      .action(act(async () => (await import('../commands/wait.ts')).wait)),
};
