import { InputError } from '../../../nodes/shared/util/errors';
import { buildUrl, parseBaseUrl } from '../../../nodes/shared/http/request';
import { resourcePath } from '../../../nodes/shared/scim/protocol/requests';

const base = parseBaseUrl('https://api.example.com');

/** The error of a call that has to be refused. */
function refusal(work: () => unknown): InputError {
	try {
		work();
	} catch (error) {
		expect(error).toBeInstanceOf(InputError);
		return error as InputError;
	}
	throw new Error('was not refused');
}

describe('parseBaseUrl', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com', 'api.example.com'],
		['  https://api.example.com/ \n', 'https://api.example.com', 'api.example.com'],
		['https://api.example.com///', 'https://api.example.com', 'api.example.com'],
		['HTTPS://API.Example.com', 'https://api.example.com', 'api.example.com'],
		['http://localhost:3000', 'http://localhost:3000', 'localhost:3000'],
		['https://api.example.com:443/', 'https://api.example.com', 'api.example.com'],
		['http://[::1]:8080/x/', 'http://[::1]:8080/x', '[::1]:8080'],
		['https://example.com/a/b/', 'https://example.com/a/b', 'example.com'],
		['https://example.com/a b', 'https://example.com/a%20b', 'example.com'],
		['https://example.com/a/../b', 'https://example.com/b', 'example.com'],
		['https://bücher.example/', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
	])('takes %j', (typed, href, host) => {
		expect(parseBaseUrl(typed)).toEqual({ href, host });
	});

	it.each([
		[undefined, /is missing/],
		['', /is missing/],
		['   ', /is missing/],
		[42, /is missing/],
		['api.example.com', /does not start with http/],
		['//api.example.com', /does not start with http/],
		['ftp://api.example.com', /does not start with http/],
		['javascript:alert(1)', /does not start with http/],
		['https:/api.example.com', /does not start with http/],
		['https://', /not a valid URL/],
		['https://exa mple.com', /not a valid URL/],
		['https://api.example.com:99999', /not a valid URL/],
		['https://[::1', /not a valid URL/],
		['https://api.example.com?tenant=1', /query or a fragment/],
		['https://api.example.com/#here', /query or a fragment/],
		['https://me@api.example.com', /user name or password/],
		['https://me:hunter2@api.example.com', /user name or password/],
	])('refuses %j', (typed, message) => {
		const error = refusal(() => parseBaseUrl(typed));
		expect(error.message).toMatch(message);
		expect(error.description).not.toBe('');
		expect(`${error.message} ${error.description}`).not.toContain('hunter2');
	});
});

describe('where the prefix goes (test/contract/interface.md 1.5)', () => {
	it.each([
		['everyRequest', '/scim/Users', '/scim/Users/user-1', '/scim/Groups/g'],
		['collectionsOnly', '/scim/Users', '/Users/user-1', '/Groups/g'],
		['nowhere', '/Users', '/Users/user-1', '/Groups/g'],
	] as const)('%s', (prefix, collection, item, group) => {
		expect(buildUrl(base, resourcePath(prefix, 'Users'))).toBe(`${base.href}${collection}`);
		expect(buildUrl(base, resourcePath(prefix, 'Users', 'user-1'))).toBe(`${base.href}${item}`);
		expect(buildUrl(base, resourcePath(prefix, 'Groups', 'g'))).toBe(`${base.href}${group}`);
	});
});

describe('buildUrl', () => {
	it('keeps the path of the base URL and adds no trailing slash', () => {
		expect(buildUrl(parseBaseUrl('https://example.com/tenant/'), ['Users'])).toBe(
			'https://example.com/tenant/Users',
		);
	});

	it.each([
		['whylabs-org-1:admin', 'whylabs-org-1%3Aadmin'],
		['a/b', 'a%2Fb'],
		['a?b=c', 'a%3Fb%3Dc'],
		['a#b', 'a%23b'],
		['50%', '50%25'],
		['%2e%2e', '%252e%252e'],
		['../Groups/x', '..%2FGroups%2Fx'],
		['...', '...'],
		['a@example.com', 'a%40example.com'],
		['two words', 'two%20words'],
		['a\\b', 'a%5Cb'],
		['a\r\nX: y', 'a%0D%0AX%3A%20y'],
		['Zoë-ユーザー-😀', 'Zo%C3%AB-%E3%83%A6%E3%83%BC%E3%82%B6%E3%83%BC-%F0%9F%98%80'],
	])('keeps the id %j in its own segment', (id, encoded) => {
		const url = buildUrl(base, ['scim', 'Users', id]);
		expect(url).toBe(`https://api.example.com/scim/Users/${encoded}`);
		// What an HTTP library makes of it has to be the same.
		expect(new URL(url).href).toBe(url);
		expect(decodeURIComponent(new URL(url).pathname.split('/')[3])).toBe(id);
	});

	it.each(['', ' ', '\t', '.', '..'])('refuses the id %j', (id) => {
		const error = refusal(() => buildUrl(base, ['scim', 'Users', id]));
		expect(error.description).toMatch(/Enter the ID/);
	});

	it('refuses an id that is no valid text, in words for a person', () => {
		refusal(() => buildUrl(base, ['scim', 'Users', 'user-\uD800']));
	});

	it('encodes a query value: + and quotes are not read as something else', () => {
		const filter = 'userName eq "o\'neil+x&y=z@example.com"';
		const url = buildUrl(base, ['Users'], { filter, startIndex: 1 });
		expect(url).toBe(
			"https://api.example.com/Users?filter=userName%20eq%20%22o'neil%2Bx%26y%3Dz%40example.com%22&startIndex=1",
		);
		expect(new URL(url).searchParams.get('filter')).toBe(filter);
	});

	it('leaves out what is not given, and the question mark with it', () => {
		expect(buildUrl(base, ['Users'], { filter: undefined })).toBe(`${base.href}/Users`);
		expect(buildUrl(base, ['Users'], { startIndex: 0 })).toBe(`${base.href}/Users?startIndex=0`);
		expect(buildUrl(base, ['Users'], { cursor: '' })).toBe(`${base.href}/Users?cursor=`);
	});
});
