'use strict';

// `npm run try`: one operation of the built node against the local service, over HTTP. Its pauses pass at once.

// Before whatever looks at the time, or waits.
const pauses = require('./pauses');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const { DIALECTS } = require('../../demo/service/scim/dialects');
const { DEFAULTS: SWITCHES } = require('../../demo/service/scim/switches');
const { OURS, startDialect } = require('../support/dialect');
const { ROOT, SOURCES, lastWritten } = require('../watch/round');
const { fieldsOf, jsonOf, linesOf, parametersOf } = require('./fields');

const PEOPLE = [{ name: 'ana' }, { name: 'ben' }, { name: 'cleo' }, { name: 'eve', active: false }];
const GROUPS = [
	{ id: 'g-1', displayName: 'Engineering', members: ['id-ana', 'id-ben'] },
	{ id: 'g-2', displayName: 'VPN', members: ['id-ben'] },
	{ id: 'g-3', displayName: 'Sales' },
];
/** The same each time, so that a plan of one run can be applied by another. */
const SECRET = 'user:password';
const HOST = 'http://scim.test';
const NAMES = [...OURS, ...Object.keys(DIALECTS)];
const HELP = `npm run try -- [--dialect <name>] [--preview] [--switch <name=value>]... [--items <JSON>] <operation> [field=value]...

  npm run try -- --dialect aws assign people=ana@example.com groups=VPN
  npm run try -- user create userName=dan@example.com attributes='{"displayName":"Dan"}'
  npm run try -- access reconcile wantedJson='[{"email":"eve@example.com","group":"VPN"}]' preview=false
  npm run try -- --dialect account assign people=emil.novak@example.com roles='[{"organization":"org-3454","role":"viewer"}]'

--dialect  ${NAMES.join(', ')}
--switch   how the service differs from that, as demo/service/scim/switches.js has it
--items    the input items, as a JSON list
--preview  the same as preview=true

There are ana, ben, cleo and eve (inactive) @example.com: ana and ben in Engineering, ben in VPN, nobody in Sales.
account has the people and organizations of the demo instead.
Fields have the names that they have in a workflow: <operation> --help lists them. One that is shown for a choice makes
that choice, and one inside options needs no path. A user is an email, a group a name, both can be id:…, several groups
have commas between them, and all else that has parts is JSON.
`;

function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			dialect: { type: 'string', default: 'generic' },
			preview: { type: 'boolean' },
			switch: { type: 'string', multiple: true, default: [] },
			items: { type: 'string', default: '[{}]' },
			help: { type: 'boolean' },
		},
	});
	if (!existsSync(join(ROOT, 'dist', 'nodes'))) {
		throw new Error('The node is not built. Build it, in seconds: npm run build');
	}
	if (lastWritten(SOURCES) > lastWritten(['dist'])) {
		console.log('The sources are newer than what is built and tried here: npm run build\n');
	}
	const { operations } = require('../../dist/nodes/ScimProvisioning/operations');
	const words = positionals.filter((one) => !one.includes('='));
	if (words.length === 0) {
		const lines = Object.entries(operations).map(
			([resource, all]) => `  ${resource}: ${Object.keys(all).join(', ')}`,
		);
		return console.log(`${HELP}\nOperations\n${lines.join('\n')}`);
	}
	const [resource, operation] = operationOf(operations, words);
	const { ScimProvisioning } = require('../../dist/nodes/ScimProvisioning/ScimProvisioning.node');
	const fields = fieldsOf(new ScimProvisioning().description, resource, operation);
	if (values.help) return console.log(linesOf(fields).join('\n'));
	const given = positionals.filter((one) => one.includes('=')).map(pairOf);
	if (values.preview) given.push(['preview', 'true']);
	return play({ ...values, resource, operation, parameters: parametersOf(fields, given) });
}

const pairOf = (text) => [text.split('=', 1)[0], text.slice(text.indexOf('=') + 1)];

function operationOf(operations, words) {
	const [name, of] = [...words].reverse();
	const found = Object.keys(operations).filter(
		(resource) => (of ?? resource) === resource && Object.hasOwn(operations[resource], name),
	);
	if (found.length === 1) return [found[0], name];
	const several = found.map((resource) => `${resource} ${name}`).join(' or ');
	throw new Error(`Which operation is ${words.join(' ')}? ${several || 'See --help'}`);
}

/** @returns the local service as that dialect, or as the demo has it, and its credential */
async function start(dialect, switches) {
	if (!NAMES.includes(dialect)) throw new Error(`--dialect is one of ${NAMES.join(', ')}`);
	const seed = dialect === 'account' ? {} : { people: PEOPLE, groups: GROUPS };
	const { credential, ...started } = await startDialect(dialect, {
		accountToken: SECRET,
		...seed,
		...switches,
	});
	const { pathname } = new URL(credential.baseUrl);
	return { ...started, credential: { ...credential, baseUrl: HOST + pathname } };
}

const switchOf = ([name, text]) => {
	if (!Object.hasOwn(SWITCHES, name)) throw new Error(`There is no switch ${name}`);
	return [name, typeof SWITCHES[name] === 'string' ? text : jsonOf(name, text)];
};

async function play({ dialect, resource, operation, parameters, ...given }) {
	const { defaultsOf } = require('../support/modelGroupsPlay');
	const { runOnModel } = require('../support/modelNode');
	const items = jsonOf('--items', given.items).map((json) => ({ json }));
	const switches = Object.fromEntries(given.switch.map(pairOf).map(switchOf));
	const { service, credential, matchUsersBy } = await start(dialect, switches);
	const before = shapeOf(service.state.directory);
	const by = dialect === 'account' ? 'organizationAndRole' : 'group';
	const usual = { ...defaultsOf(resource, operation), accessBy: by, chooseGroupBy: by };
	const matched = matchUsersBy && { matchUsersBy };
	const all = { ...usual, ...matched, ...parameters };
	all.options = { ...matched, ...parameters.options };
	const run = { resource, operation, parameters: all, items, credential };
	const { json, thrown } = await runOnModel({ exchange: over(service) }, run).finally(
		service.close,
	);

	console.log('Requests');
	for (const { method, path, search, body, status } of service.log.requests) {
		const query = search && `?${decodeURIComponent(search)}`;
		console.log(`  ${method} ${path}${query} ${status} ${body ? JSON.stringify(body) : ''}`);
	}
	const seconds = Math.round(pauses.ms / 1000);
	console.log(`  ${service.log.requests.length} in all, with pauses of ${seconds} s\n\nItems`);
	console.log(JSON.stringify(json, null, 2));
	if (thrown) console.log(`  ${[thrown.message, thrown.description].filter(Boolean).join('. ')}`);
	const after = shapeOf(service.state.directory);
	for (const [title, was] of Object.entries(before)) {
		console.log(`\n${title}`);
		for (const name of new Set([...Object.keys(was), ...Object.keys(after[title])])) {
			const [then, now] = [was[name] ?? 'none', after[title][name] ?? 'none'];
			if (then !== now || title === 'Members') {
				console.log(`  ${name}: ${then}${then === now ? '' : ` -> ${now}`}`);
			}
		}
	}
	if (thrown || json.some(({ error }) => error !== undefined)) process.exitCode = 1;
}

/** @returns how n8n's helper sends: over HTTP, with what lets in */
function over({ port, options: { scheme, token } }) {
	const secret = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token;
	return async ({ url, method, headers, body }) => {
		const signed = { ...headers, authorization: `${scheme} ${secret}` };
		const real = url.replace(HOST, `http://127.0.0.1:${port}`);
		const answer = await fetch(real, { method, headers: signed, body, redirect: 'manual' });
		const told = Object.fromEntries(answer.headers);
		return { status: answer.status, headers: told, text: await answer.text() };
	};
}

/** Members by group, and what there is of people, as texts. */
function shapeOf({ users, groups, about }) {
	const namesOf = (ids) => ids.map((id) => users.get(id)?.userName ?? id).sort();
	return {
		Members: Object.fromEntries(
			[...groups].map(([id, members]) => [
				about.get(id).displayName,
				namesOf(members).join(', ') || 'nobody',
			]),
		),
		'Changes of people': Object.fromEntries(
			[...users.values()].flatMap(({ id, userName, active, attributes }) =>
				Object.entries({ userName, active, ...attributes }).map(([name, value]) => [
					`${id} ${name}`,
					JSON.stringify(value),
				]),
			),
		),
	};
}

Promise.resolve()
	.then(main)
	.catch((error) => {
		console.error(error.message);
		process.exitCode = 2;
	});
