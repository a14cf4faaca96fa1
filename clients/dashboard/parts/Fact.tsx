import type { ComponentChildren, JSX } from 'preact';

interface Props {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A line of a list of facts. */
export function Fact({ name, children }: Props): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
