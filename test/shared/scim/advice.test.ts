import { scimAdvice } from '../../../nodes/shared/scim/protocol/errors';

const CREDENTIAL = 'Check the credential.';

const advice = (
	status: number,
	errorType?: string,
	method: 'GET' | 'POST' | 'PATCH' = 'GET',
	path = ['Users', 'user-1'],
	base = '/',
) => {
	const facts = { kind: 'http', method, status, errorType, mayHaveWorked: false } as const;
	return scimAdvice(facts, CREDENTIAL, path, base);
};

it.each([
	['the type says more than the status', advice(400, 'mutability'), /not allow this to be changed/],
	['even of a refusal', advice(403, 'sensitive'), /List instead of filtering/],
	['else the credential', advice(403), /^Check the credential\.$/],
	['what was there may be gone', advice(404, undefined, 'PATCH'), /It may have been deleted/],
	['a user who is there', advice(409, undefined, 'POST'), /set If User Exists/],
	['the same, by its type', advice(400, 'uniqueness', 'POST'), /set If User Exists/],
	[
		'a group that is there',
		advice(409, 'uniqueness', 'POST', ['scim', 'Groups']),
		/Display Name\.$/,
	],
	['a value that is taken', advice(409, 'uniqueness', 'PATCH'), /^Another resource has this value/],
	['what is not found', advice(404), /^Check the ID\. .*prefix/],
	...(['GET', 'POST'] as const).map((method): [string, string | undefined, RegExp] => [
		`a collection that there is not, to a ${method}`,
		advice(404, undefined, method, ['scim', 'Users'], '/v2/'),
		/^There is no \/v2\/scim\/Users\. Check the Service Profile, the Base URL(?!.*ID\b)(?!.*Has Groups)/,
	]),
	[
		'groups that there are not',
		advice(404, undefined, 'GET', ['Groups']),
		/^There is no \/Groups\. Check the Service Profile, .*set Has Groups to No/,
	],
])('%s', (_, said, expected) => {
	expect(said).toMatch(expected);
});

it.each([
	['a type of its own', 400, 'somethingElse'],
	['a change that met another', 409, undefined],
	['a known type with a fault of the server', 500, 'uniqueness'],
])('leaves to HTTP: %s', (_, status, errorType) => {
	expect(advice(status, errorType)).toBeUndefined();
});
