const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const HELP = new RegExp(String.raw`^# HELP (${NAME}) (?:[^\\]|\\[\\n])*$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge)$`);
const SAMPLE = new RegExp(
  String.raw`^(${NAME})((?:\{${LABEL}(?:,${LABEL})*\})?) (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$`,
);

const labelsOf = (text: string): string[] => text.match(new RegExp(LABEL, 'g')) ?? [];
const namesOf = (labels: readonly string[]): string[] => labels.map((label) => label.split('=')[0] ?? '');

/**
 * The series of a text in Prometheus' format 0.0.4, by name and labels as they are written. Throws for what its parsers
 * refuse or warn of: each metric has one HELP, then one TYPE, then all of its samples, each series once.
 */
export function seriesOf(text: string): Map<string, number> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const series = new Map<string, number>();
  const known = new Set<string>();
  let [named, metric, type]: (string | undefined)[] = [];
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helped] = HELP.exec(line) ?? [];
    const [, typed, kind] = TYPE.exec(line) ?? [];
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (helped !== undefined) {
      if (known.has(helped)) throw new Error(`${helped} comes twice.`);
      known.add(helped);
      [named, metric, type] = [helped, undefined, undefined];
    } else if (typed !== undefined && typed === named && metric === undefined) {
      [metric, type] = [typed, kind];
      if ((kind === 'counter') !== typed.endsWith('_total')) throw new Error(`${typed} is no ${kind}.`);
    } else if (name !== undefined && name === metric) {
      const names = namesOf(labelsOf(labels));
      if (new Set(names).size < names.length) throw new Error(`A label comes twice: ${line}`);
      if (series.has(name + labels)) throw new Error(`A series comes twice: ${line}`);
      if (type === 'counter' && Number(value) < 0) throw new Error(`A counter is negative: ${line}`);
      series.set(name + labels, Number(value));
    } else throw new Error(`Not understood: ${line}`);
  }
  return series;
}
