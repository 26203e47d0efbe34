import {
	checkActionId,
	checkEmail,
	checkHttpsUrl,
	checkKindName,
	checkServiceKey,
} from '../../../../nodes/NotificationActions/actions/action';
import { InputError } from '../../../../nodes/shared/util/errors';

describe('the id of an action', () => {
	it('may have letters, digits, hyphens and underscores; blanks around it are cut', () => {
		expect(checkActionId(' Chat_team-1 ')).toBe('Chat_team-1');
		expect(checkActionId(42)).toBe('42');
		expect(checkActionId('a'.repeat(100))).toHaveLength(100);
	});

	it.each(['a b', 'a/b', 'a.b', 'ä', '../x', 'a\nb'])('%j is refused', (id) => {
		expect(() => checkActionId(id)).toThrow('is not an ID of an action');
	});

	it.each(['#alerts', ' # ', '#a b'])('%j is a channel, which belongs to the webhook', (id) => {
		const error = thrownBy(() => checkActionId(id));
		expect(error.message).toContain(`"${id.trim()}" is a channel, not an ID of an action`);
		expect(error.description).toMatch(/an ID of your choice.*The channel is part of the webhook/);
	});
});

function thrownBy(call: () => unknown): InputError {
	try {
		call();
	} catch (error) {
		return error as InputError;
	}
	throw new Error('it is not refused');
}

describe('the kind', () => {
	it('is one segment of an address', () => {
		expect(checkKindName(' PAGER_DUTY ')).toBe('PAGER_DUTY');
		for (const value of ['', 'A/B', '..', 'A B', null]) {
			expect(() => checkKindName(value)).toThrow(InputError);
		}
	});
});

describe('an email address', () => {
	it.each(['ana@example.com', "o'neil+x@mail.example.co", ' ana@example.com '])('%j', (email) => {
		expect(checkEmail(email)).toBe(email.trim());
	});

	it.each([
		'',
		'ana',
		'ana@',
		'@example.com',
		'ana@example',
		'a@b.com, c@d.com',
		'a b@c.com',
		undefined,
	])('is not %j', (email) => {
		expect(() => checkEmail(email)).toThrow(InputError);
	});
});

describe('a URL to deliver to', () => {
	it.each(['https://hooks.example.com/a?b=c', 'HTTPS://Hooks.example.com', 'https://[::1]:8443/x'])(
		'%j, as it is written',
		(url) => {
			expect(checkHttpsUrl(` ${url}\n`)).toBe(url);
		},
	);

	it.each([
		['', 'The URL is missing'],
		[undefined, 'The URL is missing'],
		['hooks.example.com/secret', 'The URL is not valid'],
		['https://', 'The URL is not valid'],
		['https:/hooks.example.com/secret', 'The URL is not valid'],
		['https:hooks.example.com/secret', 'The URL is not valid'],
		['https://hooks.example.com/sec ret', 'The URL is not valid'],
		['http://hooks.example.com/secret', 'The URL does not start with https://'],
		['ftp://hooks.example.com/secret', 'The URL does not start with https://'],
	])('is not %j, and the message does not tell it', (url, message) => {
		expect(() => checkHttpsUrl(url)).toThrow(new InputError(message, ''));
	});
});

describe('a service key', () => {
	it('has no blanks, is no placeholder, and is not told', () => {
		expect(checkServiceKey(' 0a1B-2c_3 ')).toBe('0a1B-2c_3');
		for (const key of ['two words', 'schlüssel', 'PLACEHOLDER']) {
			expect(() => checkServiceKey(key)).toThrow(
				new InputError('The service key is not valid', ''),
			);
		}
		expect(() => checkServiceKey('')).toThrow('The service key is missing');
	});
});
