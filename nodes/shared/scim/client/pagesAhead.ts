import { attempt, type Attempt } from '../../util';
import type { ListPage } from '../protocol/listPage';
import { attribute, readText } from '../protocol/resource';

/** Most characters of pages that wait for their turn: they are held beside what the run may hold. */
const MOST_CHARACTERS = 10_000_000;

/** What the lists of one type share in a run. */
export interface AheadHabits {
	/** Pages that were asked for before their turn. */
	pagesAhead: number;
	/** Whether one of them was not as expected: then each page is asked for in its turn. */
	isIrregular: boolean;
}

/** What a page is to be like if nothing is odd. */
export interface ExpectedPage {
	startIndex: number;
	/** How many entries it has. */
	length: number;
	/** The total that the pages before it told. */
	total: number | undefined;
}

/** Where the pages after one go on, by index. */
interface Course {
	/** Where the next page begins, and what it is asked for. */
	next: number;
	asked: number;
	total: number;
	/** Entries that are still wanted from there. */
	wanted: number;
}

/**
 * Pages of a list by index that are asked for before their turn, side by side, once a page has shown where the next ones begin. Each
 * is taken in its turn, and only where it is as expected; else all that were read ahead are dropped, and it is asked for again as
 * if none had been, so that no list depends on it. So at most as many requests are lost as leave side by side.
 */
export class PagesAhead {
	private readonly pages: Array<
		ExpectedPage & { count: number; answer: Promise<Attempt<ListPage>> }
	> = [];

	/** @param most requests side by side; 0 where each page is asked for in its turn */
	constructor(
		private readonly ask: (page: { startIndex: number; count: number }) => Promise<ListPage>,
		private readonly habits: AheadHabits,
		private readonly most: number,
	) {}

	/**
	 * Returns the page whose turn it is; undefined where it has to be asked for.
	 * @param seen IDs on the pages before
	 */
	async take(
		startIndex: number,
		count: number,
		seen: ReadonlySet<string>,
	): Promise<ListPage | undefined> {
		const [page] = this.pages;
		if (page === undefined) return undefined;
		const tried = await page.answer;
		const isInTurn = page.startIndex === startIndex && page.count === count;
		if (!isInTurn || !tried.ok || !isRegular(tried.value, page, seen)) {
			this.habits.isIrregular = true;
			await this.drop();
			return undefined;
		}
		this.pages.shift();
		this.habits.pagesAhead -= 1;
		return tried.value;
	}

	/** Asks for pages after one that was regular, which have as many entries as that one. */
	goOn({ entries: { length }, size = 0 }: ListPage, { next, asked, total, wanted }: Course): void {
		const most = Math.min(this.most, Math.floor(MOST_CHARACTERS / size));
		const last = this.pages.at(-1);
		let startIndex = last === undefined ? next : last.startIndex + last.length;
		const isLeft = () => startIndex <= total && startIndex - next < wanted;
		while (!this.habits.isIrregular && this.habits.pagesAhead < most && isLeft()) {
			const count = Math.min(asked, wanted - (startIndex - next));
			const place = { startIndex, count };
			const expected = { length: Math.min(length, count, total - startIndex + 1), total };
			const answer = attempt(async () => await this.ask(place));
			this.pages.push({ ...place, ...expected, answer });
			this.habits.pagesAhead += 1;
			startIndex += length;
		}
	}

	/** Drops what was not taken, once its answers have come: nothing is under way after a list was read. */
	async drop(): Promise<void> {
		const dropped = this.pages.splice(0);
		await Promise.all(dropped.map(async ({ answer }) => await answer));
		this.habits.pagesAhead -= dropped.length;
	}
}

/** Tells whether a page goes on with a list as those before it let expect: its place, its total, and new entries, each once. */
export function isRegular(
	{ entries, startIndex, totalResults }: ListPage,
	expected: ExpectedPage,
	seen: ReadonlySet<string>,
): boolean {
	const ids = new Set(entries.map((entry) => readText(attribute(entry, 'id'))));
	return (
		entries.length === expected.length &&
		totalResults === expected.total &&
		(startIndex ?? expected.startIndex) === expected.startIndex &&
		ids.size === entries.length &&
		[...ids].every((id) => id !== undefined && !seen.has(id))
	);
}
