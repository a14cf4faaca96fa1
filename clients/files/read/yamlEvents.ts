import { EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml';

/** The offset of a part that is not there, such as a tag. */
export const NONE = -1;

const QUOTED: readonly number[] = [SCALAR_STYLE.SINGLE_QUOTED, SCALAR_STYLE.DOUBLE_QUOTED];

/** Where the node that begins with this event stands. Undefined where it is empty. */
export function startOf(event: Event | undefined): number | undefined {
  switch (event?.type) {
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.SCALAR:
      return event.valueStart === NONE
        ? undefined
        : event.valueStart - (QUOTED.includes(event.style) ? 1 : 0);
    default:
      return undefined;
  }
}
