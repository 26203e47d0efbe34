'use strict';

/**
 * The people: `examples/people-sync.json` gets the whole list of people from HR, and somebody approves the plan. The
 * list is what is there already, but for somebody new, somebody with another name, and somebody who has left.
 */

const { checkApproval, playWithApproval } = require('./approval');
const { readExample } = require('./hr');
const { copySnapshot } = require('../snapshot');

const NEW = {
	...{ externalId: 'hr-9001', userName: 'brand.new@example.com' },
	...{ 'name.givenName': 'Brand', 'name.familyName': 'New' },
};
const OTHER_NAME = 'Renamed';

/** In: a stage (see n8n/stage.js). Out: the play, in steps (see joiner.js). */
function people(stage) {
	const { service, organization } = stage;
	const { state } = service;
	const group = `${organization}:member`;
	const workflow = readExample('people-sync.json');
	let list;
	let gone;
	let latest;

	return {
		title: 'HR says who works here, and how they are called',
		asked: () => [
			`  ${list.length} rows. They are who is there already, but for these:`,
			`  ${NEW.userName} is new, ${list[0].userName} has another name, and ${gone} has left.`,
		],

		async prepare() {
			const known = [...state.directory.users.values()].filter(
				({ active, attributes }) => active && attributes.externalId,
			);
			const leaver = known.find(({ id }) => state.directory.groups.get(group).includes(id));
			gone = leaver.userName;
			const rows = known
				.filter((user) => user !== leaver)
				.map(({ userName, attributes: { externalId } }) => ({ externalId, userName }));
			list = [{ ...rows[0], 'name.familyName': OTHER_NAME }, ...rows.slice(1), NEW];
			const { parameters } = workflow.nodes.find(({ name }) => name === 'Plan');
			parameters.scopeGroups = { group: [{ group }] };
			await stage.add(workflow);
		},

		play: async () => (latest = await playWithApproval(stage, workflow, { rows: list })),
		concerned: () => [NEW.userName, list[0].userName, gone],

		/** What must be there afterwards, worked out without the node. */
		wanted(before) {
			const wanted = copySnapshot(before);
			wanted.people.set(NEW.userName, { active: true, roles: {} });
			wanted.people.set(gone, { active: false, roles: {} });
			return wanted;
		},

		checks: (played) => [
			checkApproval(played),
			['Names and external IDs are those of the list', unlikeAttributes(list, state)],
			// By now the same list has been sent once more (see verdict.js).
			[
				'The same list once more: a quiet end',
				latest.status === 'success' ? [] : [`It ended otherwise: ${latest.status}`],
			],
		],
	};
}

function unlikeAttributes(list, state) {
	return list.flatMap((row) => {
		const { externalId, name } = state.userByName(row.userName)?.attributes ?? {};
		const familyName = row['name.familyName'] ?? name?.familyName;
		return externalId === row.externalId && name?.familyName === familyName
			? []
			: [`${row.userName} has another name or external ID.`];
	});
}

module.exports = { people };
