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
const cells = (...all: unknown[]) => ({ group: all.map((group) => ({ group })) });
const groups = (...values: unknown[]) => cells(...values.map((value) => locator(value)));
const role = (organization: unknown, one?: unknown) => ({ organization, role: one });
const roles = (...rows: unknown[]) => ({ role: rows });

/** @param typed what stands in the field, where that is not its value */
function read(by: 'group' | 'place', given: unknown, typed = given, whenEmpty?: () => Error) {
	const getNodeParameter = (
		name: string,
		...[, , options]: [number, unknown, { rawExpressions?: boolean }?]
	) => {
		if (name === 'accessBy') return by === 'group' ? 'group' : 'organizationAndRole';
		if (name !== (by === 'group' ? 'groups' : 'roles')) return undefined;
		return options?.rawExpressions === true ? typed : given;
	};
	const context = { getNodeParameter } as unknown as IExecuteFunctions;
	const connection = { ...CONNECTION, takesNames: false };
	return readAssignments(context, 0, connection, whenEmpty as typeof noAssignments | undefined);
}

const EXPRESSION = groups('={{ $json.group }}');
const PLACE = { organization: 'org-1', role: 'admin' };

it.each<[string, unknown, unknown, GroupReference[]]>([
	[
		'chosen by ID, from the list, or by name',
		cells(locator('g1'), locator('g2', 'list'), locator('VPN', 'name')),
		undefined,
		[id('g1'), id('g2'), named('VPN')],
	],
	['of an expression in By ID: may be a name', groups('VPN'), EXPRESSION, [text('VPN')]],
	['of an expression in By Name', cells(locator('VPN', 'name')), EXPRESSION, [named('VPN')]],
	[
		'of an expression in the second row',
		groups('g1', 'VPN'),
		groups('g1', '={{ $json.group }}'),
		[id('g1'), text('VPN')],
	],
	[
		'the list of an expression',
		groups(['VPN', { groupId: 'g1' }, { organization: 'Marketing', role: 'admin' }]),
		EXPRESSION,
		[text('VPN'), id('g1'), place('org-7', 'admin')],
	],
	['the text of a list', groups('["VPN","app"]'), EXPRESSION, [text('VPN'), text('app')]],
	['an object of an expression', groups({ groupId: 'g1' }), EXPRESSION, [id('g1')]],
	['a bare text in a row', cells('VPN'), undefined, [text('VPN')]],
	['the same twice', groups('g1', 'g1'), undefined, [id('g1')]],
	['none', {}, undefined, []],
	['an empty list', groups([]), EXPRESSION, []],
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
	['a list with roles of its own', roles(role(locator([PLACE]), 'x')), [place('org-1', 'admin')]],
	['an object with a role of its own', roles(role(locator(PLACE), 'x')), [place('org-1', 'admin')]],
	['a bare text', roles(role('Marketing', 'member')), [place('org-7', 'member')]],
])('roles: %s', (_, given, references) => {
	expect(read('place', given)).toEqual(references);
});

it.each<[string, 'group' | 'place', unknown, string]>([
	['a row without a group', 'group', groups('g1', ''), 'Row 2 of Groups names no group'],
	['an empty entry', 'group', groups(['x', null]), 'Row 1 of Groups, entry 2 names no group'],
	['no organization', 'place', roles(role(locator(''), 'x')), 'Row 1 of Roles names no group'],
	['a role that is none', 'place', roles(role(locator('org-1'), 'owner')), '"owner" is not a role'],
	['no role', 'place', roles(role(locator('org-1'))), '"" is not a role'],
])('%s is refused', (_, by, given, message) => {
	expect(() => read(by, given)).toThrow(message);
});

it.each<[string, unknown, boolean]>([
	['no rows', {}, true],
	['an empty list in one of two rows', groups('g1', []), true],
	['a group', groups('g1'), false],
])('where nothing to give is an error: %s', (_, given, isError) => {
	const reading = () => read('group', given, given, noAssignments);
	if (isError) expect(reading).toThrow('There are no assignments');
	else expect(reading()).toEqual([id('g1')]);
});

it.each<[unknown, GroupReference]>([
	[' VPN ', text('VPN')],
	[7, text('7')],
	[
		{ groupId: 'g1', group: 'VPN', organization: 'org-1', role: 'Admin' },
		{ ...id('g1'), also: { text: 'VPN', organization: 'org-1', role: 'admin' } },
	],
	[
		{ group: 'VPN', organization: 'Marketing', role: null, via: null },
		{ ...text('VPN'), also: { organization: 'org-7' } },
	],
	[{ groupId: 'g1', group: '', role: 'admin' }, id('g1')],
	[{ Organization: 'Marketing', Role: 'admin' }, place('org-7', 'admin')],
])('the entry %j', (entry, reference) => {
	expect(readEntry(entry, CONNECTION, 'Entry 1')).toEqual(reference);
});

it.each<[unknown, ScimConnection, string]>([
	[{ groupId: 'g1', via: 'g2' }, CONNECTION, 'Entry 1 is access by way of group g2'],
	[{ groupId: ['g1'], group: 'VPN' }, CONNECTION, 'Entry 1: groupId is neither text nor a number'],
	[{ group: { id: 'g1' } }, CONNECTION, 'Entry 1: group is neither text nor a number'],
	[{}, CONNECTION, 'Entry 1 names no group'],
	[null, CONNECTION, 'Entry 1 names no group'],
	[' ', CONNECTION, 'Entry 1 names no group'],
	[{ organization: 'org-1', role: 'admin' }, PLAIN, 'does not say which organization and role'],
	[{ organization: 'org-1' }, CONNECTION, '"" is not a role'],
])('the entry %j is refused', (entry, connection, message) => {
	expect(() => readEntry(entry, connection, 'Entry 1')).toThrow(message);
});
