'use strict';

/** What a service says of its users in `/Schemas` (RFC 7643 section 7), as the switch `discovery`. */

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const attribute = (name, type, more = {}) => ({
	...{ name, type, multiValued: false, required: false },
	...{ mutability: 'readWrite', returned: 'default' },
	...more,
});

/** @param {object[]} schemas entries of `/Schemas` */
const discovered = (schemas) => ({
	Schemas: { totalResults: schemas.length, Resources: schemas },
});

/** An attribute of each type; some that nobody can set, and some that a workflow should not. */
const USER_SCHEMAS = [
	{
		id: CORE,
		attributes: [
			attribute('userName', 'string', { required: true }),
			attribute('displayName', 'string'),
			attribute('name', 'complex', {
				subAttributes: [
					attribute('givenName', 'string'),
					attribute('familyName', 'string', { required: true }),
					attribute('formatted', 'string', { mutability: 'readOnly' }),
				],
				required: true,
			}),
			attribute('title', 'string', { canonicalValues: ['Boss', 'Engineer'] }),
			attribute('emails', 'complex', { multiValued: true, required: true }),
			attribute('vip', 'boolean'),
			attribute('floor', 'integer'),
			attribute('share', 'decimal'),
			attribute('started', 'dateTime'),
			attribute('profileUrl', 'reference'),
			attribute('badge', 'complex'),
			attribute('active', 'boolean'),
			attribute('groups', 'complex', { multiValued: true }),
			attribute('password', 'string', { returned: 'never', mutability: 'writeOnly' }),
			attribute('seat', 'string', { returned: 'never' }),
			attribute('quota', 'integer', { mutability: 'readOnly' }),
		],
	},
	{
		id: ENTERPRISE,
		attributes: [
			attribute('department', 'string'),
			attribute('manager', 'complex', {
				subAttributes: [
					attribute('value', 'string'),
					attribute('displayName', 'string', { mutability: 'readOnly' }),
				],
			}),
		],
	},
	{
		id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
		attributes: [attribute('displayName', 'string'), attribute('costs', 'string')],
	},
];

module.exports = { CORE, ENTERPRISE, USER_SCHEMAS, discovered };
