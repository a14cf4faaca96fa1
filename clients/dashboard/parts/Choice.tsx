import type { JSX } from 'preact';

interface Props {
  /** It is heard, and named where nothing is chosen. */
  readonly label: string;
  /** Of the choice that the address does not name, in place of "label: all". */
  readonly absent?: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly onValue: (value: string | undefined) => void;
}

/** One of a few values that narrow or order a list; nothing where there is none to choose. */
export function Choice({
  label,
  absent = `${label}: all`,
  value = '',
  options,
  onValue,
}: Props): JSX.Element | null {
  if (options.length === 0 && value === '') return null;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value || undefined)}
    >
      <option value="">{absent}</option>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}
