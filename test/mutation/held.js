'use strict';

/**
 * The behavior tests that hold a source of which its unit tests say little or nothing: its mutants run these, too. Few and
 * short files, since a mutant that nothing notices runs all of them.
 */
const HELD = {
	'nodes/ScimProvisioning/fields/groupRows.ts': ['behavior/unusable.input'],
	'nodes/ScimProvisioning/fields/rows.ts': [
		'behavior/unusable.input',
		'behavior/access.reconcile.rows',
	],
	'nodes/shared/access/changes/account.ts': ['behavior/user.account', 'behavior/access.offboard'],
	'nodes/shared/access/changes/order.ts': ['behavior/access.set', 'behavior/access.assign'],
	'nodes/shared/access/changes/result.ts': ['behavior/access.set', 'behavior/access.assign'],
	'nodes/shared/access/facts/absence.ts': ['behavior/untold', 'behavior/access.shown'],
	'nodes/shared/access/facts/found.ts': ['behavior/finding.people'],
	'nodes/shared/access/guards/accounts.ts': ['behavior/user.account', 'behavior/protected'],
	'nodes/shared/access/guards/admins.ts': ['behavior/lastAdmins'],
	'nodes/shared/access/guards/judgePlan.ts': ['behavior/access.stalePlan', 'behavior/meanwhile'],
	'nodes/shared/access/guards/preconditions.ts': ['behavior/meanwhile'],
	'nodes/shared/access/guards/samePerson.ts': ['behavior/samePerson', 'behavior/access.stalePlan'],
	'nodes/shared/access/plans/undo.ts': ['behavior/undo'],
	'nodes/shared/access/send/managers.ts': ['behavior/managers'],
	'nodes/shared/access/write/guard.ts': [
		'behavior/limits',
		'behavior/approval',
		'behavior/group.setMembers',
		'behavior/access.offboard',
		'behavior/dates.guard',
		'behavior/user.losses',
		'behavior/protected',
		'behavior/typos',
		'behavior/user.create',
		'nodes/agentTool',
	],
	'nodes/shared/access/write/plan.ts': ['behavior/limits', 'behavior/access.stalePlan'],
	'nodes/shared/scim/protocol/matching.ts': ['behavior/matching'],
};

const fileOf = (name) => `${name}.test.js`;

/** The sources that each of these files holds. */
const heldBy = new Map();
for (const [source, names] of Object.entries(HELD)) {
	for (const file of names.map(fileOf)) heldBy.set(file, [...(heldBy.get(file) ?? []), source]);
}

module.exports = { heldBy };
