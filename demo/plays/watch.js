'use strict';

/**
 * The watch: `examples/access-watch.json` reports who was given access behind n8n's back. n8n checks once an hour,
 * and whenever a workflow is published: here it is published again after the change.
 */

const { outputOf } = require('./approval');
const { giveRole, organizationIds, readExample } = require('./hr');
const { copySnapshot } = require('../snapshot');

const NEW_ADMIN = 'emil.novak@example.com';
const NEW_VIEWER = 'kwame.boateng@example.com';
const CONFIRM_AFTER_S = 1;
/** Longer than the pause between the two checks of something new. */
const QUIET_MS = 5_000;
const CHECKED_WITHIN_MS = 60_000;
const POLL_MS = 250;

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function watch(stage) {
	const { service, n8n, organization } = stage;
	const { directory } = service.state;
	const roles = { [NEW_ADMIN]: 'admin', [NEW_VIEWER]: 'viewer' };
	let workflowId;
	let quiet;

	/** The first time there is something to report, the second time nothing. */
	async function play() {
		await n8n.rest.deactivate(workflowId);
		if (!change()) {
			const known = (await executions()).length;
			await publish();
			quiet = (await executions()).length - known;
			return undefined;
		}
		const execution = await stage.executionOf(workflowId, publish);
		return {
			security: outputOf(execution, 'Tell Security (Replace Me)'),
			team: outputOf(execution, 'Tell the Team (Replace Me)'),
		};
	}

	/** Behind n8n's back. Out: whether anything is another than before. */
	function change() {
		const idOf = (userName) => service.state.userByName(userName).id;
		const changed = Object.entries(roles).filter(
			([userName, role]) => directory.roleOf(idOf(userName), organization) !== role,
		);
		for (const [userName, role] of changed) directory.setRole(idOf(userName), organization, role);
		return changed.length > 0;
	}

	const executions = async () =>
		(await n8n.executions()).filter((execution) => execution.workflowId === workflowId);

	/** n8n checks a moment after it has said that a workflow is published. Throws: when it does not. */
	async function publish() {
		const { requests } = service.log;
		const from = requests.length;
		await n8n.activate(workflowId);
		const giveUpAt = Date.now() + CHECKED_WITHIN_MS;
		while (requests.length === from || Date.now() - requests.at(-1).at < QUIET_MS) {
			if (Date.now() > giveUpAt) throw new Error('n8n did not check what has changed.');
			await new Promise((done) => setTimeout(done, POLL_MS));
		}
	}

	return {
		title: 'access changes at the service, and n8n is to report it',
		asked: () => Object.entries(roles).map(([name, role]) => `  ${name} becomes ${role}`),

		async prepare() {
			const workflow = readExample('access-watch.json');
			const { parameters } = workflow.nodes.find(({ name }) => name === 'Access Has Changed');
			parameters.options = { confirmAfter: CONFIRM_AFTER_S };
			await stage.add(workflow);
			workflowId = workflow.id;
			await publish();
		},

		play,
		answered: ({ security, team }) => [
			...security.map(({ text }) => `  to security: ${text}`),
			...team.map(({ text }) => `  to the team: ${text}`),
		],
		concerned: () => Object.keys(roles),

		wanted(before) {
			const wanted = copySnapshot(before);
			const idOf = organizationIds(before);
			for (const [email, role] of Object.entries(roles)) {
				const person = wanted.people.get(email);
				giveRole(wanted, idOf, { email, person, organization: nameIn(before), role });
			}
			return wanted;
		},

		checks: ({ security, team }, before) => [
			[
				'Who becomes admin is told to security, everybody else to the team',
				[
					...unlike(security, [textOf(NEW_ADMIN, before)]),
					...unlike(team, [textOf(NEW_VIEWER, before)]),
				],
			],
			// By now it has been published once more (see verdict.js).
			[
				'Published again without a change it checks, and reports nothing',
				quiet === 0 ? [] : [`It started ${quiet} executions.`],
			],
		],
	};

	function nameIn({ organizations }) {
		return organizations.find(({ id }) => id === organization).name;
	}

	function textOf(name, before) {
		const role = before.people.get(name).roles[organization] ?? 'no role';
		return `${name}: ${role} → ${roles[name]} in ${nameIn(before)}`;
	}
}

function unlike(items, wanted) {
	const texts = items.map(({ text }) => text);
	return texts.join() === wanted.join() ? [] : [`It says "${texts.join()}", not "${wanted}".`];
}

module.exports = { watch };
