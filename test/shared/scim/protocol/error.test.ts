import { isScimError } from '../../../../nodes/shared/scim/protocol/errors';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

it.each([
	['an error', { status: '400', schemas: [ERROR] }, true],
	['one in other case, beside other schemas', { Schemas: [7, 'x', ERROR.toUpperCase()] }, true],
	['a user', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'] }, false],
	['schemas that are no list', { schemas: ERROR }, false],
	['no schemas', { other: [ERROR] }, false],
	['no schema', { schemas: [] }, false],
	['no object', [ERROR], false],
])('%s: is it an error of SCIM', (_, answer, isOne) => {
	expect(isScimError(answer)).toBe(isOne);
});
