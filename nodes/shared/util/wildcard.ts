import { nameKey } from './nameKey';

/** Tests texts against a pattern in which `*` stands for any characters, ignoring case. */
export function wildcard(pattern: string): (text: string) => boolean {
	const [first, ...others] = nameKey(pattern).split('*');
	const last = others.pop();
	return (text) => {
		const lower = nameKey(text);
		if (last === undefined) return lower === first;
		if (!lower.startsWith(first)) return false;
		// The first place where a part fits leaves most to the parts behind it: nothing is ever tried twice.
		let at = first.length;
		for (const part of others) {
			const found = lower.indexOf(part, at);
			if (found < 0) return false;
			at = found + part.length;
		}
		return lower.length - last.length >= at && lower.endsWith(last);
	};
}
