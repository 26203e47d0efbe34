'use strict';

/**
 * The behavior tests that hold a source of which its unit tests say little or nothing: its mutants run these, too. Few and
 * short files, since a mutant that nothing notices runs all of them.
 */
const HELD = {
	'nodes/ScimProvisioning/fields/groupRows.ts': [
		'behavior/unusable.input',
		'behavior/nested',
		'behavior/access.set',
	],
	'nodes/ScimProvisioning/fields/rows.ts': ['behavior/access.reconcile.rows'],
	'nodes/shared/access/changes/account.ts': ['behavior/managers', 'behavior/user.account'],
	'nodes/shared/access/changes/order.ts': [
		'behavior/wholeList',
		'behavior/managers',
		'behavior/lastAdmins',
	],
	'nodes/shared/access/changes/result.ts': ['behavior/output', 'behavior/access.assign'],
	'nodes/shared/access/facts/absence.ts': ['behavior/untold', 'behavior/access.shown'],
	'nodes/shared/access/facts/found.ts': ['behavior/finding.people'],
	'nodes/shared/access/guards/accounts.ts': [
		'behavior/user.create',
		'behavior/protected',
		'behavior/gains',
	],
	'nodes/shared/access/guards/admins.ts': ['behavior/lastAdmins', 'behavior/access.set'],
	'nodes/shared/access/guards/judgePlan.ts': ['behavior/meanwhile', 'behavior/access.stalePlan'],
	'nodes/shared/access/guards/preconditions.ts': [
		'behavior/meanwhile',
		'behavior/access.changeEmail',
		'behavior/undo',
		'behavior/access.leavers',
		'behavior/dates',
	],
	'nodes/shared/access/guards/samePerson.ts': ['behavior/samePerson', 'behavior/access.stalePlan'],
	'nodes/shared/access/plans/undo.ts': ['behavior/undo', 'behavior/together'],
	'nodes/shared/access/send/managers.ts': ['behavior/managers', 'behavior/together'],
	'nodes/shared/access/write/guard.ts': [
		'behavior/limits',
		'behavior/protected',
		'behavior/lastAdmins',
		'behavior/group.setMembers',
		'behavior/typos',
		'behavior/dialects',
		'behavior/dates.guard',
		'behavior/pace',
		'nodes/agentTool',
	],
	'nodes/shared/scim/protocol/matching.ts': ['behavior/matching'],
};

const fileOf = (name) => `${name}.test.js`;

/** The sources that each of these files holds. */
const heldBy = new Map();
for (const [source, names] of Object.entries(HELD)) {
	for (const file of names.map(fileOf)) heldBy.set(file, [...(heldBy.get(file) ?? []), source]);
}

module.exports = { heldBy };
