import { bytesOf, Memory } from '../../../nodes/shared/http/limits';
import type { Answer, ServiceRequest } from '../../../nodes/shared/http/request';

const request = (method: 'GET' | 'PATCH'): ServiceRequest => ({
	...{ method, path: ['Users'], repeat: 'always', purpose: 'list users' },
});
const ANSWER: Answer = { status: 200, body: {}, text: '' };
const TEXT = 'x'.repeat(100);

const nested = (depth: number): unknown => {
	let value: unknown = 'x';
	for (let level = 0; level < depth; level++) value = [value];
	return value;
};

it('a value takes what its texts and its parts take, however deep they are', () => {
	expect(bytesOf(TEXT)).toBe(116);
	expect(bytesOf({ a: TEXT, b: null, c: 1 })).toBe(32 + 3 * 8 + 116);
	expect(bytesOf([TEXT, TEXT])).toBe(32 + 2 * 8 + 232);
	expect(bytesOf(nested(100_000))).toBe(100_000 * 40 + 17);
});

describe('what a run holds', () => {
	it('is what is held of all together, of each thing once', () => {
		const memory = new Memory(300);
		for (let nth = 0; nth < 10; nth++) memory.hold('one', TEXT);
		memory.hold('two', TEXT);
		expect(() => memory.hold('three', TEXT)).toThrow('more than it may hold in memory');
	});

	it('may be too much once, and then nothing more is read or sent', async () => {
		const memory = new Memory(100);
		const sent = jest.fn(async () => await Promise.resolve(ANSWER));
		const send = memory.watch(sent);
		await send(request('GET'));
		expect(() => memory.hold('one', TEXT)).toThrow('memory');
		expect(() => memory.hold('two', '')).toThrow('memory');
		await expect(send(request('GET'))).rejects.toThrow('memory');
		await expect(send(request('PATCH'))).rejects.toThrow('memory');
		expect(sent).toHaveBeenCalledTimes(1);
	});

	it('is judged until the first write', async () => {
		const memory = new Memory(100);
		await memory.watch(async () => await Promise.resolve(ANSWER))(request('PATCH'));
		expect(() => memory.hold('one', TEXT)).not.toThrow();
	});
});
