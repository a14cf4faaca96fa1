import {
  CHUNK_STATES,
  CHUNK_TRANSITIONS,
  RUN_STATES,
  RUN_TRANSITIONS,
  type Transition,
} from '../../shared/domain/evaluation/transitions.ts';
import { table } from './table.ts';

const code = (text: string): string => `\`${text}\``;

/** The state machines of runs and chunks, each as a drawing and as tables. */
export function stateMachines(): string {
  const runStates = Object.entries(RUN_STATES).map(([state, { status, meaning }]) => [
    code(state),
    code(status),
    meaning,
  ]);
  const chunkStates = Object.entries(CHUNK_STATES).map(([state, { claim, meaning }]) => [
    code(state),
    code(claim),
    meaning,
  ]);
  return [
    '### Run',
    drawing(RUN_TRANSITIONS),
    table([['State', '`status`', 'Meaning'], ...runStates]),
    transitions(RUN_TRANSITIONS),
    '### Chunk',
    drawing(CHUNK_TRANSITIONS),
    table([['State', 'A claim answers', 'Meaning'], ...chunkStates]),
    transitions(CHUNK_TRANSITIONS),
  ].join('\n\n');
}

function transitions(all: readonly Transition<string>[]): string {
  const rows = all.map(({ from, to, when, write, by = [] }) => [
    from.map(code).join(', '),
    to.map(code).join(', '),
    when,
    write === undefined ? '' : code(write),
    by.map((maker) => code(maker.replace(/^.*\//, ''))).join(', '),
  ]);
  return table([['From', 'To', 'When', 'Write', 'Made by'], ...rows]);
}

function drawing(all: readonly Transition<string>[]): string {
  const writes = new Map<string, Set<string>>();
  for (const { from, to, write = '90 s' } of all) {
    for (const arrow of from.flatMap((source) => to.map((target) => `${source} --> ${target}`))) {
      writes.set(arrow, (writes.get(arrow) ?? new Set()).add(write));
    }
  }
  const arrows = [...writes].map(([arrow, names]) => {
    return `  ${arrow.replace(/^none/, '[*]')}: ${[...names].join(', ')}`;
  });
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n');
}
