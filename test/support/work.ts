/** What is counted of a run: characters that it has handled, and patterns that run on over a text until something else comes. */
export interface Work {
	characters: number;
	/** By their source; one that begins in many places and runs to the end from each handles the square of them. */
	runningOn: string[];
}

/** Something, and then all but what ends it. */
const ANYTHING_BUT = String.raw`(?:\[\^(?:\\.|[^\\\]])*\]|\[\\s\\S\]|(?<!\\)\.|\\S)`;
const RUNS_ON = new RegExp(`[^|]${ANYTHING_BUT}[*+]|${ANYTHING_BUT}\\)[*+]`);
/** Of shorter texts nothing is said. */
const LONG = 1_000;

/** Counts what is done with texts while something runs, which says the same on every machine. */
export function workOf(run: () => unknown): Work {
	const work: Work = { characters: 0, runningOn: [] };
	const spies = [
		...(['toLowerCase', 'normalize', 'trim'] as const).map((name) => {
			const method = String.prototype[name];
			return jest.spyOn(String.prototype, name).mockImplementation(function (this: string) {
				work.characters += this.length;
				return method.call(this);
			});
		}),
		...(['exec', Symbol.replace] as const).map((name) => {
			const method = RegExp.prototype[name] as (this: RegExp, ...given: unknown[]) => string;
			return jest.spyOn(RegExp.prototype, name as 'exec').mockImplementation(function (
				this: RegExp,
				...given: unknown[]
			) {
				const isLong = String(given[0]).length > LONG;
				if (isLong && RUNS_ON.test(this.source)) work.runningOn.push(this.source);
				return method.apply(this, given) as unknown as RegExpExecArray;
			});
		}),
	];
	try {
		run();
	} finally {
		for (const spy of spies) spy.mockRestore();
	}
	return work;
}
