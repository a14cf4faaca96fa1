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
export class Count implements Metric {
  readonly name: string;
  readonly type: Metric['type'];
  readonly help: string;
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string, known: readonly Labels[] = [], type: Metric['type'] = 'counter') {
    this.name = name;
    this.help = help;
    this.type = type;
    for (const labels of known) this.add(labels, 0);
  }

  values = (): ReadonlyMap<string, number> => this.#values;

  add(labels: Labels, by = 1): void {
    const key = written(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + by);
  }
}
