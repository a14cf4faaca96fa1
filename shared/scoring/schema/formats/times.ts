/** RFC 3339, section 5.6 and appendix A. */

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?/;
const OFFSET = /^(?:Z|([+-])(\d\d):(\d\d))$/i;
/** ISO 8601 also allows offsets without minutes, without the colon, and none. */
const ISO_OFFSET = /^(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/i;

export function isTime(text: string): boolean {
  return isTimeWith(text, OFFSET);
}

export function isIsoTime(text: string): boolean {
  return isTimeWith(text, ISO_OFFSET);
}

export function isDateTime(text: string): boolean {
  return /^.{10}T/is.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

export function isIsoDateTime(text: string): boolean {
  return /^.{10}[T\s]/is.test(text) && isDate(text.slice(0, 10)) && isIsoTime(text.slice(11));
}

function isTimeWith(text: string, offset: RegExp): boolean {
  const time = TIME.exec(text);
  const zone = time === null ? null : offset.exec(text.slice(time[0].length));
  if (time === null || zone === null) return false;
  const [hours, minutes, seconds] = [Number(time[1]), Number(time[2]), Number(time[3])];
  const [offsetHours, offsetMinutes] = [Number(zone[2] ?? 0), Number(zone[3] ?? 0)];
  if (hours > 23 || minutes > 59 || offsetHours > 23 || offsetMinutes > 59) return false;
  if (seconds < 60) return true;
  const ahead = (offsetHours * 60 + offsetMinutes) * (zone[1] === '-' ? -1 : 1);
  const utc = (hours * 60 + minutes - ahead + 2 * MINUTES_OF_DAY) % MINUTES_OF_DAY;
  // A leap second ends a day of UTC.
  return seconds === 60 && utc === MINUTES_OF_DAY - 1;
}

const MINUTES_OF_DAY = 24 * 60;

const OF_DAYS = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)`;
const OF_HOURS = String.raw`T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`;
export const DURATION = new RegExp(String.raw`^P(?:\d+W|${OF_DAYS}(?:${OF_HOURS})?|${OF_HOURS})$`);

export function isDuration(text: string): boolean {
  return DURATION.test(text);
}
