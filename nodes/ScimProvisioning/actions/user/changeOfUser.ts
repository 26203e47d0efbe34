import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../../../shared/attempt';
import { notDone } from '../../../shared/change/outcome';
import type { CollectedAttributes } from '../../fields/jsonAttributes';
import { foundUser, type Directory } from '../../../shared/provisioning/directory';
import { protectedPerson } from '../../../shared/provisioning/planAccess';
import type { WantedChange } from '../../../shared/provisioning/planUsers';
import type { ProvisioningPlan } from '../../../shared/provisioning/step';
import type { User } from '../../../shared/scim/protocol/resource';
import { readUserField, type PersonReference } from '../../fields/person';
import type { Change, Surroundings } from '../../road';
import { changedUser } from '../../fields/userItem';

/** A change of the user that the User field of an item names. */
export interface NamedChange extends CollectedAttributes {
	item: number;
	reference: PersonReference;
}

const NOTHING: CollectedAttributes = { attributes: {}, warnings: [] };

/**
 * The road for operations on a user who exists: names are resolved together, then `plan` decides. An item whose person
 * cannot be found fails alone.
 * @param needsCurrent whether the plan needs the user as it is, so that users given by id are read too
 */
export function changeOfUsers(
	context: IExecuteFunctions,
	plan: (wanted: WantedChange[], surroundings: Surroundings) => ProvisioningPlan,
	collectAttributes: (item: number) => CollectedAttributes = () => NOTHING,
	needsCurrent: (change: NamedChange) => boolean = () => false,
): Change<NamedChange> {
	return {
		collect: (item, { client }) => [
			{
				item,
				reference: readUserField(context, item, client.profile),
				...collectAttributes(item),
			},
		],
		async plan(wanted, surroundings) {
			const { guards, directory, isProtected, previews } = surroundings;
			// Protection by e-mail needs the e-mail of people who are given by id.
			const byName = guards.protectedPeople.some((entry) => /[@*]/.test(entry));
			// A preview shows whom an ID means, and whether there is anybody.
			const resolve = await resolver(
				wanted,
				directory,
				(change) => byName || previews || needsCurrent(change),
			);
			const known: WantedChange[] = [];
			const unknown: ProvisioningPlan['settled'] = [];
			for (const change of wanted) {
				const label = labelOf(change.reference);
				const resolved = await attempt(() => {
					const user = resolve(change.reference);
					if (isProtected({ key: user.person.id, ...user.person })) throw protectedPerson(label);
					return user;
				});
				if (resolved.ok) known.push({ ...change, label, ...resolved.value });
				else {
					const outcome = notDone(`change user ${label}`, resolved.error);
					unknown.push({ item: change.item, subject: label, outcome });
				}
			}
			const decided = plan(known, surroundings);
			return { plan: { ...decided, settled: [...unknown, ...decided.settled] } };
		},
		output: changedUser,
	};
}

type Resolved = Pick<WantedChange, 'person' | 'current'>;

/** Looks everybody up at once; the function it gives throws for a person who cannot be worked on. */
async function resolver(
	wanted: readonly NamedChange[],
	directory: Directory,
	needsCurrent: (change: NamedChange) => boolean,
): Promise<(reference: PersonReference) => Resolved> {
	const names = wanted.flatMap(({ reference }) =>
		reference.by === 'userName' ? [reference.userName] : [],
	);
	const ids = wanted.flatMap((change) =>
		change.reference.by === 'id' && needsCurrent(change) ? [change.reference.id] : [],
	);
	const [found, read] = [await directory.findUsers(names), await directory.readById(ids)];
	return (reference) => {
		if (reference.by === 'userName') {
			return known(foundUser(found.get(reference.userName), reference.userName));
		}
		const current = read.get(reference.id);
		if (current === undefined) return { person: { id: reference.id } };
		if (!current.ok) throw current.error;
		return known(current.value);
	};
}

function known(user: User): Resolved {
	return { person: { id: user.id, userName: user.userName }, current: user };
}

function labelOf(reference: PersonReference): string {
	return reference.by === 'id' ? reference.id : reference.userName;
}
