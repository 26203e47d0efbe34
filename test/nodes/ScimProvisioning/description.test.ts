import { NodeConnectionTypes, type INodePropertyOptions } from 'n8n-workflow';

import { operations } from '../../../nodes/ScimProvisioning/operations';
import { codex, ScimProvisioning } from '../../support/built';
import {
	checkCodex,
	checkDescription,
	lookAt,
	SCIM_CREDENTIALS,
	settingsOf,
} from '../../support/description';

const node = new ScimProvisioning();
const { description } = node;
const { properties } = description;
const { everyOperation, optionsOf, shownFor } = lookAt(node);

const READING = ['get', 'getAll'];
const READING_AT_ONCE = ['getCapabilities', 'getMatrix', 'planReview'];

/** Options of lists, which are read for each item by itself. */
const OF_ONE_ITEM = ['attributes', 'attributesJson', 'excludedAttributes', 'startIndex'];

/** Rows of groups: an expression in a row may give a list of them; those of the first item hold for all. */
const GROUP_ROWS = ['ignoreGroups', 'keepMembershipsIn', 'managedGroups', 'protectMembersOf'];

const GUARDS = [
	'allowRemovingLastAdmin',
	'maxPeopleAffected',
	'maxPercentAffected',
	'protectMembersOf',
	'protectedUsers',
];

/** Guards of whole lists and of approved plans. */
const OWN_GUARDS: Record<string, string[]> = {
	'access applyPlan': ['allowPermanentRemoval', 'maxAge', 'maxCreates'],
	'access assign': ['maxCreates'],
	'access changeEmail': ['allowPermanentRemoval', 'maxCreates'],
	'access offboard': ['allowPermanentRemoval'],
	'access reconcile': [
		...['allowEmptyGroups', 'allowEmptyOrganizations'],
		...['allowPermanentRemoval', 'maxCreates'],
	],
	'user deactivate': ['allowPermanentRemoval'],
	'user delete': ['allowPermanentRemoval'],
	'user reconcile': ['allowPermanentRemoval', 'maxCreates'],
	'user update': ['allowPermanentRemoval'],
	'user upsert': ['allowPermanentRemoval', 'maxCreates'],
};

/** Where nobody can have less than before. */
const LIMITS_ALONE: Record<string, string[]> = {
	'user activate': [
		...['maxPeopleAffected', 'maxPercentAffected', 'protectMembersOf', 'protectedUsers'],
	],
	'user create': ['maxCreates', 'maxPeopleAffected', 'maxPercentAffected'],
};

const DEFAULTS: Record<string, unknown> = {
	allowEmptyGroups: false,
	allowEmptyOrganizations: false,
	allowPermanentRemoval: false,
	allowRemovingLastAdmin: false,
	maxAge: 24,
	maxCreates: 100,
	maxPercentAffected: 10,
	maxPeopleAffected: 5,
	protectMembersOf: {},
	protectedUsers: '',
};

/** Operations after which somebody may have less than before, or that plan such. */
const TAKING_AWAY = [
	'access applyPlan',
	'access assign',
	'access changeEmail',
	'access offboard',
	'access planReview',
	'access reconcile',
	'access revoke',
	'access set',
	'group addMembers',
	'group delete',
	'group removeMembers',
	'group setMembers',
	'user deactivate',
	'user delete',
	'user reconcile',
	'user update',
	'user upsert',
];

it('is the node that workflows know', () => {
	expect(description).toMatchObject({
		displayName: 'SCIM Provisioning',
		name: 'scimProvisioning',
		version: 1,
		group: ['transform'],
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: SCIM_CREDENTIALS,
	});
});

checkCodex(codex, 'scimProvisioning', ['scim', 'provisioning', 'onboarding', 'offboarding']);

describe.each(everyOperation)('%s: %s', (resource, operation) => {
	const fields = shownFor(resource, operation);

	// Get of Access gives what was made out of several answers: there is nothing raw.
	const reads = READING.includes(operation) && resource !== 'access';
	const writes = !READING.includes(operation) && !READING_AT_ONCE.includes(operation);

	it(`has ${writes ? 'Preview' : reads ? 'Simplify' : 'neither Preview nor Simplify'}`, () => {
		const names = fields.map(({ name }) => name);
		expect(names.includes('preview')).toBe(writes);
		// A wrong list would concern everybody.
		const isOn = fields.find(({ name }) => name === 'preview')?.default === true;
		expect(isOn).toBe(operation === 'reconcile');
		expect(names.includes('simplify')).toBe(reads);
	});

	it('lets no expression decide over what holds for all items', () => {
		const options = optionsOf(resource, operation);
		const ofExecution = fields.filter(({ name }) =>
			['preview', 'createMissing', 'method'].includes(name),
		);
		for (const { name, noDataExpression } of [...ofExecution, ...options]) {
			if ([...OF_ONE_ITEM, ...GROUP_ROWS].includes(name)) continue;
			expect([name, noDataExpression]).toEqual([name, true]);
		}
	});

	it('has the guards of what it changes', () => {
		const name = `${resource} ${operation}`;
		const guards = TAKING_AWAY.includes(name)
			? [...GUARDS, ...(OWN_GUARDS[name] ?? [])]
			: (LIMITS_ALONE[name] ?? []);
		const limits = settingsOf(fields, 'safetyLimits');
		expect(limits.map((limit) => limit.name).sort()).toEqual(guards.sort());
		for (const limit of limits) expect(limit.default).toEqual(DEFAULTS[limit.name]);
	});
});

it('waits as long as it is told, and takes what is never shown where that is turned on', () => {
	const requests = settingsOf(properties, 'requests').map(({ name }) => name);
	expect(requests).toEqual(['acceptUnverified', 'maxMemory', 'maxWait', 'timeout', 'verifyTime']);
});

it('offers the three roles', () => {
	const roles = properties.find(({ name }) => name === 'role')?.options ?? [];
	expect(roles.map((role) => (role as INodePropertyOptions).value)).toEqual([
		'admin',
		'member',
		'viewer',
	]);
});

checkDescription(node, 'ScimProvisioning', operations);
