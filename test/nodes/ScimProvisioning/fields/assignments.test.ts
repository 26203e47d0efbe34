import type { IExecuteFunctions } from 'n8n-workflow';

import {
	noAssignments,
	readAssignments,
	readEntry,
} from '../../../../nodes/ScimProvisioning/fields/assignments';
import type { GroupReference } from '../../../../nodes/shared/access/facts/groupReference';
import type { ScimConnection } from '../../../../nodes/shared/connection/connection';
import { groupMeaning } from '../../../../nodes/shared/scim/protocol/groupMeaning';
import { ids } from '../../../support/plans';

const CONNECTION = {
	ids,
	organizations: { idOf: (text: string) => (text === 'Marketing' ? 'org-7' : text) },
} as unknown as ScimConnection;
const PLAIN = { ...CONNECTION, ids: groupMeaning() } as ScimConnection;

const id = (text: string): GroupReference => ({ by: 'id', id: text });
const named = (name: string): GroupReference => ({ by: 'name', name });
const text = (one: string): GroupReference => ({ by: 'text', text: one });
const place = (organization: string, role: string): GroupReference => ({
	...{ by: 'place', organization, role },
});
const locator = (value: unknown, mode = 'id') => ({ mode, value });
const groups = (...cells: unknown[]) => ({ group: cells.map((group) => ({ group })) });
const role = (organization: unknown, one?: unknown) => ({ organization, role: one });
const roles = (...rows: unknown[]) => ({ role: rows });

/** @param typed what stands in the field, where that is not its value */
function read(by: 'group' | 'place', given: unknown, typed = given, whenEmpty?: () => Error) {
	const context = {
		getNodeParameter: (
			name: string,
			_: number,
			_fallback: unknown,
			options?: { rawExpressions?: boolean },
		) => {
			if (name === 'accessBy') return by === 'group' ? 'group' : 'organizationAndRole';
			if (name !== (by === 'group' ? 'groups' : 'roles')) return undefined;
			return options?.rawExpressions === true ? typed : given;
		},
	} as unknown as IExecuteFunctions;
	return readAssignments(
		context,
		0,
		{ ...CONNECTION, takesNames: false },
		whenEmpty as typeof noAssignments | undefined,
	);
}

const EXPRESSION = groups(locator('={{ $json.group }}'));

it.each<[string, unknown, unknown, GroupReference[]]>([
	[
		'chosen by ID, from the list, or by name',
		groups(locator('g1'), locator('g2', 'list'), locator('VPN', 'name')),
		undefined,
		[id('g1'), id('g2'), named('VPN')],
	],
	['of an expression in By ID: may be a name', groups(locator('VPN')), EXPRESSION, [text('VPN')]],
	['of an expression in By Name', groups(locator('VPN', 'name')), EXPRESSION, [named('VPN')]],
	[
		'of an expression in the second row',
		groups(locator('g1'), locator('VPN')),
		{ group: [{ group: locator('g1') }, ...EXPRESSION.group] },
		[id('g1'), text('VPN')],
	],
	[
		'the list of an expression',
		groups(locator(['VPN', { groupId: 'g1' }, { organization: 'Marketing', role: 'admin' }])),
		EXPRESSION,
		[text('VPN'), id('g1'), place('org-7', 'admin')],
	],
	['the text of a list', groups(locator('["VPN","app"]')), EXPRESSION, [text('VPN'), text('app')]],
	['an object of an expression', groups(locator({ groupId: 'g1' })), EXPRESSION, [id('g1')]],
	['a bare text in a row', groups('VPN'), undefined, [text('VPN')]],
	['the same twice', groups(locator('g1'), locator('g1')), undefined, [id('g1')]],
	['none', {}, undefined, []],
	['an empty list', groups(locator([])), EXPRESSION, []],
])('groups: %s', (_, given, typed, references) => {
	expect(read('group', given, typed)).toEqual(references);
});

it.each<[string, unknown, GroupReference[]]>([
	[
		'an organization by ID and by name',
		roles(role(locator('org-1'), 'viewer'), role(locator('Marketing', 'name'), 'Admin')),
		[place('org-1', 'viewer'), place('org-7', 'admin')],
	],
	[
		'the role for a list of organizations',
		roles(role(locator(['org-1', 'Marketing']), 'member')),
		[place('org-1', 'member'), place('org-7', 'member')],
	],
	[
		'a list with roles of its own',
		roles(role(locator([{ organization: 'org-1', role: 'admin' }]), 'member')),
		[place('org-1', 'admin')],
	],
	[
		'an object with a role of its own',
		roles(role(locator({ organization: 'org-1', role: 'admin' }), 'member')),
		[place('org-1', 'admin')],
	],
	['a bare text', roles(role('Marketing', 'member')), [place('org-7', 'member')]],
])('roles: %s', (_, given, references) => {
	expect(read('place', given)).toEqual(references);
});

it.each<[string, 'group' | 'place', unknown, string]>([
	[
		'a row without a group',
		'group',
		groups(locator('g1'), locator('')),
		'Row 2 of Groups names no group',
	],
	[
		'a list with an empty entry',
		'group',
		groups(locator(['VPN', null])),
		'Row 1 of Groups, entry 2 names no group',
	],
	[
		'a role without organization',
		'place',
		roles(role(locator(''), 'admin')),
		'Row 1 of Roles names no group',
	],
	['a role that is none', 'place', roles(role(locator('org-1'), 'owner')), '"owner" is not a role'],
	['no role', 'place', roles(role(locator('org-1'))), '"" is not a role'],
])('%s is refused', (_, by, given, message) => {
	expect(() => read(by, given)).toThrow(message);
});

it.each<[string, unknown, boolean]>([
	['no rows', {}, true],
	['an empty list in one of two rows', groups(locator('g1'), locator([])), true],
	['a group', groups(locator('g1')), false],
])('where nothing to give is an error: %s', (_, given, isError) => {
	const reading = () => read('group', given, given, noAssignments);
	if (isError) expect(reading).toThrow('There are no assignments');
	else expect(reading()).toEqual([id('g1')]);
});

it.each<[unknown, GroupReference]>([
	[' VPN ', text('VPN')],
	[7, text('7')],
	[{ groupId: 'g1', group: 'VPN', organization: 'org-1' }, id('g1')],
	[{ group: 'VPN', organization: 'org-1', via: null }, text('VPN')],
	[{ Organization: 'Marketing', Role: 'admin' }, place('org-7', 'admin')],
])('the entry %j', (entry, reference) => {
	expect(readEntry(entry, CONNECTION, 'Entry 1')).toEqual(reference);
});

it.each<[unknown, ScimConnection, string]>([
	[{ groupId: 'g1', via: 'g2' }, CONNECTION, 'Entry 1 is access by way of group g2'],
	[{}, CONNECTION, 'Entry 1 names no group'],
	[null, CONNECTION, 'Entry 1 names no group'],
	[' ', CONNECTION, 'Entry 1 names no group'],
	[{ organization: 'org-1', role: 'admin' }, PLAIN, 'does not say which organization and role'],
	[{ organization: 'org-1' }, CONNECTION, '"" is not a role'],
])('the entry %j is refused', (entry, connection, message) => {
	expect(() => readEntry(entry, connection, 'Entry 1')).toThrow(message);
});
