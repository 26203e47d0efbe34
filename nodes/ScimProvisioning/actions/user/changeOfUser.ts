import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../../../shared/attempt';
import { notDone } from '../../../shared/change/outcome';
import type { CollectedAttributes } from '../../fields/userAttributes';
import { foundUser, type Directory } from '../../../shared/provisioning/directory';
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
			const resolve = await resolver(wanted, surroundings.directory, needsCurrent);
			const known: WantedChange[] = [];
			const unknown: ProvisioningPlan['settled'] = [];
			for (const change of wanted) {
				const label = labelOf(change.reference);
				const resolved = await attempt(() => resolve(change.reference));
				if (resolved.ok) known.push({ ...change, label, ...resolved.value });
				else {
					const outcome = notDone(`change user ${label}`, resolved.error);
					unknown.push({ item: change.item, subject: label, outcome });
				}
			}
			const decided = plan(known, surroundings);
			return { ...decided, settled: [...unknown, ...decided.settled] };
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
