import type { Change } from '../../../nodes/shared/access/change';
import { stepsOf } from '../../../nodes/shared/access/steps';
import { readUser } from '../../../nodes/shared/scim/protocol/resource';
import { FRESH } from '../../support/fakeTransport';
import { ACCOUNT, accessOf, ids, person } from '../../support/plans';

const [USER, GROUP] = ['User', 'Group'].map(
	(type) => `urn:ietf:params:scim:schemas:core:2.0:${type}`,
);
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const [ADMIN, MEMBER] = ['org-1:admin', 'org-1:member'];
const RULES = { ids, profile: ACCOUNT, label: (groupId: string) => `<${groupId}>` };

function change(key: string, made: object): Change {
	const own = {
		key,
		action: `do ${key}`,
		parts: [{ item: 0, subject: key }],
		person: person('ana'),
	};
	return { ...own, why: '', needs: [], after: [], warnings: [], ...made } as unknown as Change;
}

const grant = (id: string, groupId: string, more: object = {}) =>
	change(`${id} into ${groupId}`, {
		...{ target: 'membership', kind: 'grant', person: person(id), groupId, from: [] },
		...{ place: ids.parse(groupId), ...more },
	});

const revoke = (id: string, groupId: string, more: object = {}) =>
	change(`${id} out of ${groupId}`, {
		...{ target: 'membership', kind: 'revoke', person: person(id), groupId },
		...{ place: ids.parse(groupId), mayBeGone: false, hidden: false, skipsOtherRole: false },
		...more,
	});

/** Who is in which request, by its number in the group. */
const requestsOf = (changes: Change[], rules: Parameters<typeof stepsOf>[1] = RULES) =>
	stepsOf(changes, rules).map((step) =>
		step.kind === 'changeMembers'
			? `${step.id.split('\n').slice(1).join(' ')}: ${[
					...step.add.map((one) => `+${one.person.key}`),
					...step.remove.map((one) => `-${one.person.key}`),
				].join(' ')}`
			: step.id,
	);

describe('one change, one request', () => {
	const at = (...path: string[]) => ['scim', ...path];
	const patch = (path: string[], ...Operations: object[]) => ({
		...{ method: 'PATCH', path, body: { schemas: [PATCH], Operations } },
	});
	const ana = { person: { id: 'ana', userName: 'ana@example.com' } };
	const user = { target: 'user', seenBefore: true };
	const group = { target: 'group', groupId: 'g' };
	const refuses = () => undefined;
	const onlyWith = { readAt: FRESH, includes: () => true, label: String };
	const replaced = (path: string, value: unknown, ...of: string[]) =>
		patch(at(...of), { op: 'replace', path, value });
	const post = (resource: string, body: object) => ({ method: 'POST', path: at(resource), body });
	const title = { attributes: { title: 'Dr' } };
	const name = { attributes: { displayName: 'VPN' } };

	it.each<[string, object, object]>([
		[
			'a user is created active',
			{ target: 'user', kind: 'create', userName: 'ana', ifExists: 'fail', ...title },
			{
				...{ kind: 'createUser', userName: 'ana', ifExists: 'fail', ...title },
				request: post('Users', { schemas: [USER], active: true, title: 'Dr', userName: 'ana' }),
			},
		],
		[
			'a user is created as what is given says',
			{
				...{ target: 'user', kind: 'create', userName: 'ana', attributes: { active: false } },
				...{ ifExists: 'update', matchBy: 'externalId', refuses },
			},
			{
				...{ kind: 'createUser', userName: 'ana', attributes: { active: false } },
				...{ ifExists: 'update', matchBy: 'externalId', refuses },
				request: post('Users', { schemas: [USER], active: false, userName: 'ana' }),
			},
		],
		[
			'attributes are updated',
			{ ...user, kind: 'update', ...title },
			{
				...{ kind: 'updateUser', ...ana, ...title, seenBefore: true },
				request: replaced('title', 'Dr', 'Users', 'ana'),
			},
		],
		[
			'a whole user is replaced',
			{
				...{ ...user, kind: 'update', ...title },
				whole: { readAt: FRESH, planned: { body: { userName: 'ana' }, activeAfter: false } },
			},
			{
				...{ kind: 'replaceUser', ...ana, ...title, readAt: FRESH, activeAfter: false },
				request: { method: 'PUT', path: at('Users', 'ana'), body: { userName: 'ana' } },
			},
		],
		[
			'a user is activated',
			{ ...user, kind: 'activate' },
			{
				...{ kind: 'setActive', ...ana, active: true, seenBefore: true },
				request: replaced('active', true, 'Users', 'ana'),
			},
		],
		[
			'a user is deactivated for having nothing else',
			{ ...user, kind: 'deactivate', onlyWith },
			{
				...{ kind: 'setActive', ...ana, active: false, seenBefore: true, onlyWith },
				request: replaced('active', false, 'Users', 'ana'),
			},
		],
		[
			'a user is deleted',
			{ ...user, kind: 'delete', wasActive: true },
			{
				...{ kind: 'deleteUser', ...ana, wasActive: true },
				request: { method: 'DELETE', path: at('Users', 'ana') },
			},
		],
		[
			'a group is created',
			{ target: 'group', kind: 'create', ...name },
			{
				...{ kind: 'createGroup', ...name },
				request: post('Groups', { schemas: [GROUP], displayName: 'VPN' }),
			},
		],
		[
			'a group is updated',
			{ ...group, kind: 'update', ...name },
			{
				...{ kind: 'updateGroup', groupId: 'g', ...name },
				request: replaced('displayName', 'VPN', 'Groups', 'g'),
			},
		],
		[
			'a group is deleted',
			{ ...group, kind: 'delete', members: [] },
			{ kind: 'deleteGroup', groupId: 'g', request: { method: 'DELETE', path: at('Groups', 'g') } },
		],
	])('%s', (_, made, step) => {
		const common = { id: 'x', action: 'do x', warnings: ['w'] };
		expect(stepsOf([change('x', { ...made, warnings: ['w', 'w'] })], RULES)).toEqual([
			{ ...common, parts: [{ item: 0, subject: 'x', change: 'x' }], ...step },
		]);
	});

	it('all values of one user', () => {
		const user = readUser({ ...ana.person, roles: [{ value: 'buyer' }] })!;
		const [buyer, seller] = ['buyer', 'seller'].map((value) => ({ attribute: 'roles', value }));
		const of = { target: 'value', user, readAt: FRESH };
		const taken = change('taken', { ...of, kind: 'revoke', value: buyer });
		const given = change('given', { ...of, kind: 'grant', value: seller });
		const ben = change('ben', { ...of, kind: 'grant', value: seller, person: person('ben') });
		const [step, other] = stepsOf([taken, ben, given], RULES);
		expect(step).toEqual({
			...{ id: 'values\nana', kind: 'changeValues', action: 'change 2 values of ana@example.com' },
			...{ ...ana, user, readAt: FRESH, warnings: [] },
			parts: ['taken', 'given'].map((key) => ({ item: 0, subject: key, change: key })),
			values: [
				{ change: 'taken', action: 'do taken', kind: 'revoke', value: buyer },
				{ change: 'given', action: 'do given', kind: 'grant', value: seller },
			],
			request: patch(
				at('Users', 'ana'),
				{ op: 'add', path: 'roles', value: [{ value: 'seller' }] },
				{ op: 'remove', path: 'roles[value eq "buyer"]' },
			),
		});
		expect(other).toMatchObject({
			id: 'values\nben',
			action: 'do ben',
			values: [{ value: seller }],
		});
	});

	it('all members of one group, first who gets in', () => {
		const newcomer = { key: 'k1', userName: 'new@example.com' };
		const steps = stepsOf(
			[
				revoke('ben', ADMIN, { hidden: true, skipsOtherRole: true, mayBeGone: true }),
				grant('ana', ADMIN),
				revoke('cid', 'whylabs-org-1:ADMIN'),
				grant('new', ADMIN, { person: newcomer }),
				grant('odd', ADMIN, { person: { key: 'k2' } }),
			],
			RULES,
		);
		const add = [person('ana'), newcomer, { key: 'k2' }];
		const keys = ['ana', 'new', 'odd'].map((id) => `${id} into ${ADMIN}`);
		const gone = ['ben', 'cid'].map((id) => person(id));
		expect(steps).toEqual([
			{
				...{ id: `members\n${ADMIN}\n1`, kind: 'changeMembers', groupId: ADMIN, warnings: [] },
				...{ action: `change 5 members of group ${ADMIN}`, organization: 'org-1', siblings: [] },
				readAt: { at: 0, pauses: 0 },
				parts: [...keys, `ben out of ${ADMIN}`, 'cid out of whylabs-org-1:ADMIN'].map((key) => ({
					...{ item: 0, subject: key, change: key },
				})),
				add: add.map((one, at) => ({
					...{ person: one, action: `do ${keys[at]}`, mayBeGone: false, from: [], gains: true },
				})),
				remove: [
					{
						...{ person: gone[0], action: `do ben out of ${ADMIN}`, mayBeGone: true },
						...{ hidden: true, skipsOtherRole: true },
					},
					{ person: gone[1], action: 'do cid out of whylabs-org-1:ADMIN', mayBeGone: false },
				],
				request: patch(
					at('Groups', ADMIN),
					{
						...{ op: 'add', path: 'members' },
						value: ['ana', '{id of new@example.com}', '{id of k2}'].map((value) => ({ value })),
					},
					{ op: 'remove', path: 'members', value: [{ value: 'ben' }, { value: 'cid' }] },
				),
			},
		]);
		expect(stepsOf([grant('ana', ADMIN)], RULES)).toMatchObject([
			{ action: `do ana into ${ADMIN}` },
		]);
	});

	it.each([
		['an add moves', { addMovesWithinOrganization: true }, true],
		['each stands alone', { addMovesWithinOrganization: false }, false],
	])('the other groups of the organization count where %s', (_, traits, isCounted) => {
		const access = accessOf({
			[ADMIN]: [],
			[MEMBER]: [],
			'org-1:viewer': [],
			'org-2:x': [],
			g: [],
		});
		const rules = { ...RULES, access, profile: { ...ACCOUNT, ...traits } };
		const others = [MEMBER, 'org-1:viewer'].map((groupId) => ({ groupId, label: `<${groupId}>` }));
		expect(stepsOf([grant('ana', 'whylabs-org-1:ADMIN'), grant('ana', 'g')], rules)).toMatchObject([
			{ siblings: isCounted ? others : [], readAt: FRESH, organization: 'org-1' },
			{ siblings: [], groupId: 'g' },
		]);
	});
});

describe('the order', () => {
	const group = (key: string, more: object = {}) =>
		change(key, { target: 'group', kind: 'delete', groupId: key, members: [], ...more });

	it('is that of the changes, each behind what it waits for', () => {
		const changes = [
			group('a', { after: ['c', 'd', 'c'] }),
			group('b', { needs: ['d'] }),
			...[group('c'), group('d'), group('e')],
		];
		expect(requestsOf(changes, RULES)).toEqual(['c', 'd', 'a', 'b', 'e']);
		expect(requestsOf([], RULES)).toStrictEqual([]);
	});

	it('names what a request and its parts wait for, once each, as far as the plan has it', () => {
		const two = [
			grant('ana', ADMIN, { after: ['x', 'y', 'gone'] }),
			grant('ben', ADMIN, { after: ['y'], needs: ['x', 'gone', 'unsaid'] }),
			grant('cid', MEMBER, { after: ['ana into org-1:admin', 'ben into org-1:admin'] }),
			...[group('x'), group('y'), group('unsaid', { parts: [] })],
		];
		const byId = new Map(stepsOf(two, RULES).map((step) => [step.id, step]));
		expect(byId.get('x')).not.toHaveProperty('after');
		expect(byId.get(`members\n${ADMIN}\n1`)).toMatchObject({ after: ['x', 'y'] });
		expect(byId.get(`members\n${MEMBER}\n1`)?.after).toEqual([`members\n${ADMIN}\n1`]);
		expect(byId.get(`members\n${ADMIN}\n1`)?.parts.map(({ needs }) => needs)).toEqual([
			undefined,
			[{ step: 'x', subject: 'x' }],
		]);
	});

	it('within a group: who waits for nothing, and removals that wait', () => {
		const profile = { ...ACCOUNT, membersPerRequest: 2 };
		const changes = [
			grant('new', ADMIN, { needs: ['user'] }),
			revoke('waits', ADMIN, { needs: [`first into ${MEMBER}`] }),
			revoke('free', ADMIN, { needs: ['user'] }),
			revoke('also', ADMIN),
			...[grant('first', MEMBER), group('user')],
		];
		expect(requestsOf(changes, { ...RULES, profile })).toEqual([
			'user',
			`${ADMIN} 1: +new -free`,
			`${ADMIN} 2: -also`,
			`${MEMBER} 1: +first`,
			`${ADMIN} 3: -waits`,
		]);
	});

	it('of requests that would wait for each other: they are split', () => {
		const changes = [
			grant('third', ADMIN, { after: [`second into ${MEMBER}`] }),
			grant('first', ADMIN, { needs: ['user', 'gone'] }),
			grant('free', ADMIN),
			grant('second', MEMBER, { needs: [`first into ${ADMIN}`] }),
			group('user'),
		];
		expect(requestsOf(changes)).toEqual([
			'user',
			`${ADMIN} 1: +first +free`,
			`${MEMBER} 1: +second`,
			`${ADMIN} 2: +third`,
		]);
	});

	it('of changes that wait for each other: some order', () => {
		const changes = [
			grant('ana', ADMIN, { needs: [`ben into ${MEMBER}`] }),
			grant('ben', MEMBER, { needs: [`ana into ${ADMIN}`] }),
		];
		expect(requestsOf(changes).sort()).toEqual([
			`${ADMIN} 1: +ana`,
			expect.stringContaining('+ben'),
		]);
	});
});
