import { safeJson } from '../escape.ts';
import { resultState } from '../results.ts';
import type { Report, ReportedResult } from '../types.ts';
import { ATTRIBUTES, EVALUATION_RESULT, LABELS } from './genAi.ts';

const SEVERITY_INFO = 9;
const NANOSECONDS = 1_000_000n;

/** The results as logs of OTLP in JSON, an event each, as collectors read them from a file. */
export function otelReport({ run, results }: Report): string {
  const { suite, created_at, duration_ms } = run;
  const endMs = created_at === undefined ? Date.now() : Date.parse(created_at) + duration_ms;
  const about = {
    'evalgate.run.id': run.id,
    ...(suite && { 'evalgate.project': suite.project_slug, 'evalgate.suite': suite.slug }),
    ...(run.suite_digest && { 'evalgate.suite.digest': run.suite_digest }),
  };
  const name = suite?.slug ?? 'evalgate';
  const logRecords = results.map((result) => ({
    timeUnixNano: String(BigInt(endMs) * NANOSECONDS),
    severityNumber: SEVERITY_INFO,
    eventName: EVALUATION_RESULT,
    attributes: listed(attributesOf(result, name)),
  }));
  const resource = { attributes: listed({ 'service.name': 'evalgate', ...about }) };
  const scopeLogs = [{ scope: { name: 'evalgate' }, logRecords }];
  return `${safeJson({ resourceLogs: [{ resource, scopeLogs }] })}\n`;
}

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** What could not be judged has no score: its 0 says nothing of the output. */
function attributesOf(result: ReportedResult, name: string): Attributes {
  const { key, case_id, threshold, score, reason, errored, scorer_output, fault } = result;
  const state = resultState(result);
  const known: Readonly<Record<string, string>> = LABELS;
  return {
    [ATTRIBUTES.name]: name,
    ...(errored === true
      ? { [ATTRIBUTES.error]: String(scorer_output?.error ?? fault ?? 'error') }
      : { [ATTRIBUTES.score]: score }),
    [ATTRIBUTES.label]: known[state] ?? state,
    [ATTRIBUTES.explanation]: reason,
    'evalgate.case.key': key,
    'evalgate.case.id': case_id,
    'evalgate.case.threshold': threshold,
  };
}

const listed = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const anyValue = (value: string | number | boolean) => {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'number' ? { doubleValue: value } : { boolValue: value };
};
