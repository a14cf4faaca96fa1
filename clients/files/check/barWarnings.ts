import type { BarWarning } from '../../../shared/contracts/gates.ts';
import type { Path } from '../read/parts.ts';
import { isRecord } from '../read/parts.ts';
import type { Place, Problems } from '../read/problems.ts';
import { partsOf } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { LoadedFiles, SuiteParts } from '../resolve/loadFiles.ts';
import { ruledCase } from '../trial/ruledCase.ts';

/**
 * Warns of what is wrong with bars as the files have them: gates and cases that no output passes, answers without content
 * and wrong facts that would. A service that has more cases knows better: a plan names what holds there.
 */
export async function warnOfBar(
  { suites, references }: LoadedFiles,
  defined: readonly SuiteDefinition[],
  problems: Problems,
  nowMs: number,
): Promise<void> {
  for (const definition of defined) {
    const parts = suites.find(({ file }) => file === definition.file);
    if (parts === undefined) continue;
    for (const warning of await warningsOf(definition, nowMs)) {
      const { gate, code, message, example } = warning;
      const words = code === 'GATE_CANNOT_PASS' ? `${gate}: ${message}` : message;
      const shown = example === undefined ? words : `${words} (${example})`;
      problems.warn(placeOf(warning, definition, { parts, references }), shown);
    }
  }
}

/** Its code is read where files have no errors only. */
async function warningsOf(
  { suite: { pass_threshold, gates }, scorers, cases }: SuiteDefinition,
  nowMs: number,
): Promise<BarWarning[]> {
  const { barFindings, isWarning } = await import('../../../shared/scoring/probes/barWarnings.ts');
  const active = cases
    .filter(({ is_active }) => is_active)
    .map((fields) => ruledCase(fields, scorers, nowMs));
  const bar = { passThreshold: pass_threshold, gates };
  return (await barFindings(active, bar, ({ advisory }) => advisory)).filter(isWarning);
}

interface Files extends Pick<LoadedFiles, 'references'> {
  readonly parts: SuiteParts;
}

function placeOf(warning: BarWarning, { suite: { gates } }: SuiteDefinition, files: Files): Place {
  const { document, cases } = files.parts;
  if (warning.case !== undefined) {
    const isOfCase = ({ value }: { readonly value: unknown }): boolean =>
      isRecord(value) && value.key === warning.case;
    const part = cases.flatMap((one) => partsOf(one, files.references)).find(isOfCase);
    if (part !== undefined) return part.document.at(part.path);
  }
  return document.at(pathOf(warning, gates));
}

function pathOf({ gate, code }: BarWarning, gates: SuiteDefinition['suite']['gates']): Path {
  if (gate === 'pass_rate') return code === 'GATE_CANNOT_PASS' ? ['cases'] : ['pass_threshold'];
  const tag = (gates.tags ?? []).findIndex((one) => gate === `tag:${one.tag}`);
  return tag < 0 ? ['gates', gate] : ['gates', 'tags', tag];
}
