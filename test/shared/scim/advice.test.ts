import { scimAdvice } from '../../../nodes/shared/scim/advice';

const CREDENTIAL = 'Check the credential.';

const advice = (status: number, errorType?: string, method: 'GET' | 'PATCH' = 'GET') =>
	scimAdvice({ kind: 'http', method, status, errorType, mayHaveWorked: false }, CREDENTIAL);

it.each([
	['the type says more than the status', advice(400, 'mutability'), /not allow this to be changed/],
	['even of a refusal', advice(403, 'sensitive'), /List instead of filtering/],
	['else the credential', advice(403), /^Check the credential\.$/],
	['what was there may be gone', advice(404, undefined, 'PATCH'), /It may have been deleted/],
	['what is not found', advice(404), /^Check the ID\. .*prefix/],
])('%s', (_, said, expected) => {
	expect(said).toMatch(expected);
});

it.each([
	['a type of its own', 400, 'somethingElse'],
	['a known type with a fault of the server', 500, 'uniqueness'],
])('leaves to HTTP: %s', (_, status, errorType) => {
	expect(advice(status, errorType)).toBeUndefined();
});
