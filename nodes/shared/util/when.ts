import { memoized } from './maps';

/** A whole day, wherever that is; or a moment, as ISO 8601. */
export type When = { day: string } | { at: string };

const DAY_MS = 86_400_000;
/** Day 0 of spreadsheets. */
const SERIAL_START = Date.UTC(1899, 11, 30);
/** About 1954 to 2119: what is smaller is no date but an amount or a year. */
const SERIALS = { from: 20_000, to: 80_000 };
/** Nobody works since then: spreadsheets and databases fill in 1900 or the year 1. */
const EARLIEST = '1950-01-01';
const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;
const MIDNIGHT = '00:00:00.000';

/**
 * Reads a date of a list: an ISO date, an ISO date and time with its offset, or the serial number of a spreadsheet. Midnight,
 * in UTC or in the zone, is a day: that is how tables give the dates they keep as moments.
 * @param zone such as Europe/Berlin
 * @returns undefined for anything else
 */
export function readWhen(value: unknown, zone: string): When | undefined {
	const text = typeof value === 'object' ? '' : String(value).trim();
	const serial = /^\d{5}$/.test(text) ? Number(text) : 0;
	const isSerial = serial >= SERIALS.from && serial <= SERIALS.to;
	const day = isSerial ? dayIn(SERIAL_START + serial * DAY_MS) : text;
	if (isDay(day)) return { day };
	const ms = Date.parse(text);
	if (!isDay(MOMENT.exec(text)?.[1]) || Number.isNaN(ms)) return undefined;
	if (ms % DAY_MS === 0) return { day: dayIn(ms) };
	const there = clockAt(ms, zone);
	return there.time === MIDNIGHT ? { day: there.day } : { at: new Date(ms).toISOString() };
}

/** Tells whether it has begun. */
export function hasBegun(when: When, zone: string, now: number): boolean {
	return 'day' in when ? when.day <= today(zone, now) : Date.parse(when.at) <= now;
}

/** Tells whether it is over: a day at its end, a moment at once. */
export function isOver(when: When, zone: string, now: number): boolean {
	return 'day' in when ? when.day < today(zone, now) : Date.parse(when.at) <= now;
}

/** Returns the day that it is in a zone. */
export function today(zone: string, now: number): string {
	return clockAt(now, zone).day;
}

/** Tells whether an end comes after another one; a day ends after all moments in it. */
export function isLater(one: When, other: When, zone: string): boolean {
	const place = (when: When) => {
		if ('day' in when) return `${when.day} 24`;
		const { day, time } = clockAt(Date.parse(when.at), zone);
		return `${day} ${time}`;
	};
	return place(one) > place(other);
}

/** Tells whether somebody would end before the start, so that there is no day in between. */
export function isReversed(from: When, until: When, zone: string): boolean {
	if ('at' in from && 'at' in until) return from.at >= until.at;
	const [start, end] = [from, until].map((one) =>
		'day' in one ? one.day : clockAt(Date.parse(one.at), zone).day,
	);
	return start > end;
}

export function whenText(when: When): string {
	return 'day' in when ? when.day : when.at;
}

/** Whether it is a day that there is, on which somebody may work. */
function isDay(text = ''): boolean {
	if (!DAY.test(text) || text < EARLIEST) return false;
	const ms = Date.parse(text);
	return !Number.isNaN(ms) && dayIn(ms) === text;
}

function dayIn(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

/** One for each zone: making one takes longer than a thousand dates. Sweden writes as ISO does. */
const formatIn = memoized(
	(timeZone) =>
		new Intl.DateTimeFormat('sv-SE', {
			...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
			...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
		}),
);

function clockAt(ms: number, zone: string): { day: string; time: string } {
	const [day, time] = formatIn(zone).format(ms).replace(',', '.').split(' ');
	return { day, time };
}
