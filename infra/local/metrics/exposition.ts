/** The text format of Prometheus. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  /** By their labels, as they are written. */
  readonly values: () => ReadonlyMap<string, number>;
}

const ESCAPED = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\n', '\\n'],
]);

export function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, (letter) => ESCAPED.get(letter) ?? '')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export const exposition = (metrics: readonly Metric[]): string =>
  metrics
    .map(({ name, type, help, values }) => {
      const lines = [...values()].map(([labels, value]) => `${name}${labels} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');

/** Counts since the start. A series that is known before begins at 0, so that its first increase is seen. */
export function count(
  name: string,
  help: string,
  known: readonly Labels[] = [],
  type: Metric['type'] = 'counter',
) {
  const values = new Map<string, number>();
  const add = (labels: Labels, by = 1): void => {
    const key = written(labels);
    values.set(key, (values.get(key) ?? 0) + by);
  };
  for (const labels of known) add(labels, 0);
  return { name, type, help, values: () => values, add };
}
