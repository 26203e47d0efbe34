import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { attempt } from '../../../shared/attempt';
import { notDone } from '../../../shared/change/outcome';
import { foundUser, memberIds } from '../../../shared/provisioning/directory';
import { planMembers, type WantedMember } from '../../../shared/provisioning/planMembers';
import type { AppliedPart, ProvisioningPlan } from '../../../shared/provisioning/step';
import type { Group } from '../../../shared/scim/protocol/resource';
import { groupFields, readGroupFields, groupName } from '../../fields/group';
import { optionsField, previewField, showFor, type Operation } from '../../fields/operation';
import { readPeopleField, type PersonReference } from '../../fields/person';
import { outcomeItem } from '../../fields/userItem';
import { runChange, type Surroundings } from '../../road';
import { executionOptions } from '../../settings';

const peopleField: INodeProperties = {
	displayName: 'People',
	name: 'people',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. name@email.com, user-4f2a9c',
	description:
		'IDs or e-mails of the people to add, comma-separated, or an expression that gives a list',
};

interface NamedMember {
	item: number;
	groupId: string;
	reference: PersonReference;
}

/** Adds people to groups: PATCH with `add` on `members` (RFC 7644 section 3.5.2.1), one request for many items. */
export const addMembers: Operation = {
	fields: showFor('group', 'addMembers', [
		...groupFields,
		peopleField,
		previewField,
		optionsField(executionOptions('concurrency', 'maxWait', 'pageSize', 'timeout', 'verifyTime')),
	]),

	execute: async (context) =>
		await runChange<NamedMember>(context, {
			collect(item, surroundings) {
				const groupId = readGroupFields(context, item, surroundings);
				const people = readPeopleField(
					context.getNodeParameter('people', item),
					surroundings.client.profile,
				);
				return people.map((reference) => ({ item, groupId, reference }));
			},
			plan,
			output,
		}),
};

async function plan(
	wanted: NamedMember[],
	{ client, directory, ids, accountOrganization }: Surroundings,
): Promise<ProvisioningPlan> {
	const read = await directory.readGroups(
		wanted.map(({ groupId }) => groupId),
		ids.key,
	);
	const groups = new Map<string, Group>();
	for (const [key, group] of read) if (group.ok) groups.set(key, group.value);

	// Whoever is a member somewhere is known from the groups already and needs no look-up.
	const idByName = memberIds(groups.values(), client.profile);
	const names = wanted.flatMap(({ reference }) =>
		reference.by === 'userName' && !idByName.has(reference.userName) ? [reference.userName] : [],
	);
	const found = await directory.findUsers(names);

	const members: WantedMember[] = [];
	const unknown: ProvisioningPlan['settled'] = [];
	for (const { item, groupId, reference } of wanted) {
		const label = reference.by === 'id' ? reference.id : reference.userName;
		const resolved = await attempt(() => {
			const group = read.get(ids.key(groupId));
			if (group?.ok === false) throw group.error;
			if (reference.by === 'id') return { id: reference.id };
			const id = idByName.get(label) ?? foundUser(found.get(label), label).id;
			return { id, userName: label };
		});
		if (resolved.ok) members.push({ item, groupId, person: resolved.value });
		else {
			const outcome = notDone(`add ${label} to group ${groupId}`, resolved.error);
			unknown.push({ item, subject: label, outcome });
		}
	}
	const planned = planMembers(members, groups, ids, client.profile, accountOrganization);
	return { ...planned, settled: [...unknown, ...planned.settled] };
}

function output(parts: readonly AppliedPart[], surroundings: Surroundings): IDataObject {
	const group = parts.find(({ result }) => result?.group !== undefined)?.result?.group;
	return {
		...(group && { group: groupName(group, surroundings) }),
		members: parts.map((part) => ({
			...part.result?.person,
			outcome: outcomeItem(part),
		})),
	};
}
