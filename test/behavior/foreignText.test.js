'use strict';

const { Groups, UNDOABLE, locator, play, rows, wanted } = require('../support/behavior');
const alerts = require('../support/alertBehavior');
const { mapped } = require('../support/node');

// A service calls its users and groups whatever it likes: what is said of them names them in short, and in plain text.

const LONG = 5_000;
/** A bell, and what makes letters run backwards. */
const odd = (name) => `${name} \u0007\u202E ${'x'.repeat(LONG)}`;
const SAID =
	/^(?:reason|text|warnings?|error|errors|message|description|action|hints?|summary\w*|blockedBy|notes?|advice|words|refused|unusable)$/i;
const UNRULY = /[\u0007\u202E]|x{301}/;

/** All that is said in a value, as paths with what is wrong there. */
function unrulyIn(value, path = '', isSaid = false) {
	if (typeof value === 'string') {
		const at = isSaid ? value.search(UNRULY) : -1;
		return at < 0 ? [] : [`${path}: ${value.slice(Math.max(0, at - 60), at)}`];
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, one]) =>
		unrulyIn(one, `${path}.${key}`, (isSaid && /^\d+$/.test(key)) || SAID.test(key)),
	);
}

const NAMES = { eng: 'eng', vpn: 'vpn', two: 'vpn' };
const user = (name, has, more) => ({
	...{ id: name, has, userName: odd(name), displayName: odd(name), title: odd('title') },
	...{ emails: [{ value: odd(name), primary: true }], name: { givenName: odd(name) }, ...more },
});
const on = (more) =>
	new Groups(
		{
			ana: user('ana', 'eng'),
			ben: user('ben', 'eng vpn'),
			cid: user('cid', 'inactive'),
			dan: user('dan', 'eng', { userName: odd('ana') }),
		},
		{
			groups: Object.entries(NAMES).map(([id, name]) => ({ id, displayName: odd(name) })),
			credential: UNDOABLE,
			...more,
		},
	);
const byId = (id) => locator('id', id);
const people = (...ids) => ({ people: ids });
const group = (value) => ({ chooseGroupBy: 'group', group: locator('id', value) });
const groups = (...ids) => ({
	accessBy: 'group',
	groups: { group: ids.map((id) => ({ group: locator('id', id) })) },
});
const scope = { accessBy: 'group', scopeGroups: rows('eng', 'vpn') };
const WRITES = [
	['access assign', { ...people('ana', 'ben', 'cid', 'zoe'), ...groups('vpn') }],
	['access assign', { ...people(odd('ana')), ...groups(odd('vpn')) }],
	['access revoke', { ...people('ana', 'ben', 'cid'), ...groups('eng', 'vpn') }],
	['access set', { ...people('ana', 'cid', 'dan'), ...groups('vpn') }],
	['access offboard', people('ben', 'cid', odd('ana'))],
	['access changeEmail', { user: byId('ben'), newEmail: 'other@example.com' }],
	['access reconcile', { preview: false, ...scope, ...wanted([{ id: 'cid', group: 'vpn' }]) }],
	[
		'access reconcile',
		{ preview: false, ...scope, ...wanted([{ email: odd('x'), group: odd('y') }]) },
	],
	['group addMembers', { ...group('vpn'), ...people('ana', 'cid') }],
	['group removeMembers', { ...group('eng'), ...people('ana', 'ben', 'cid') }],
	['group setMembers', { ...group('eng'), ...people('cid') }],
	['group create', { displayName: odd('eng') }],
	['group update', { ...group('eng'), displayName: odd('new') }],
	['group delete', group('vpn')],
	['user deactivate', { user: byId('ana') }],
	['user activate', { user: byId('cid') }],
	['user delete', { user: byId('ana') }],
	['user create', { userName: odd('ana') }],
	['user update', { user: byId('ana'), ...mapped({ title: odd('u'), userName: odd('ben') }) }],
];
const SERVICES = {
	'that does as asked': {},
	'that refuses': { refusesAddsTo: ['vpn'], refusesRemovalFrom: ['eng'] },
	'that does nothing': { ignoresRemovals: ['filterPath'], neverAdds: ['vpn'] },
	'without PATCH': { without: ['PATCH'] },
	'whose groups show no members': { showsMembers: 'never' },
};
const rowsOf = Object.keys(SERVICES).flatMap((service) =>
	[false, true].flatMap((preview) =>
		WRITES.map(([what, fields], at) => [what, preview ? 'Preview' : 'sent', service, at, fields]),
	),
);

test.each(rowsOf)('%s, %s, of a service %s (%i)', async (what, how, service, _, fields) => {
	const world = on(SERVICES[service]);
	const given = { ...fields, ...(how === 'Preview' && { preview: true }) };
	const { json, thrown } = await said(world, what.split(' '), given);
	expect(unrulyIn(json)).toStrictEqual([]);
	expect(unrulyIn(thrown)).toStrictEqual([]);
});

async function said(world, what, fields) {
	try {
		return {
			json: await play(world, what, {
				...fields,
				options: { maxPeopleAffected: 99, ...fields.options },
			}),
		};
	} catch ({ message, description }) {
		return { thrown: { message, description } };
	}
}

describe('A service that calls its models, monitors and actions so', () => {
	const model = odd('m');
	const all = { models: 'all', monitors: 'all' };
	const ids = (id) => ({ models: 'all', monitors: 'ids', monitorIds: id });
	const to = (id) => ({ action: alerts.locator(id) });
	const hook = { type: 'WEBHOOK', enabled: false };
	const payload = { url: 'https://hooks.example.com/old', method: 'POST', headers: {}, body: '{}' };
	const pager = { type: 'PAGER_DUTY', payload: { pagerDutyKey: 'key-of-the-pager' } };
	const actions = { hook: { ...hook, payload }, [odd('pager')]: pager };
	test.each([
		['monitor attach', { ...all, ...to('hook') }],
		['monitor attach', { ...all, ...to('none') }],
		['monitor detach', { ...all, ...to('hook') }],
		['monitor attach', { ...ids('nothing-of-this'), ...to('hook') }],
		['action get', to('none')],
		['action delete', to('hook')],
	])('%s (%j)', async (what, fields) => {
		for (const more of [{}, { documentedOnly: true }, { keepsTargets: true }]) {
			const models = { [model]: { [odd('drift')]: `email hook ${odd('x')}`, churn: '' } };
			const world = new alerts.Alerting(models, { actions, ...more });
			const outcome = await alerts
				.run(world, what.split(' '), fields)
				.catch(({ message, description }) => ({ message, description }));
			expect(unrulyIn(outcome)).toStrictEqual([]);
		}
	});
});
