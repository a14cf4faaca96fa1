import type { JSX } from 'preact';

const SHAPES = {
  passed: 'M3 8.5 6.5 12 13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  unjudged: 'M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1V10M8 12.2v.1',
  pending: 'M8 4.5V8l2.5 1.5M8 2a6 6 0 1 0 .01 0',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  link: 'M7 9a2.5 2.5 0 0 0 3.5 0l2-2A2.5 2.5 0 0 0 9 3.500l-.8.8M9 7a2.500 2.500 0 0 0-3.500 0l-2 2A2.500 2.500 0 0 0 7 12.500l.8-.8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.500 10.500 14 14',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
} as const;

export type IconName = keyof typeof SHAPES;

/** Text stands beside it, or is the label of its button. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
