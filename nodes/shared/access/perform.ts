import type { ScimClient } from '../scim';
import type { Directory } from './directory';
import type { Identities, Learned } from './performCommon';
import { createGroup, deleteGroup, updateGroup } from './performGroups';
import { changeGroup, replaceGroup } from './performMembers';
import { createUser, deleteUser, replaceUser, setActive, updateUser } from './performUsers';
import { changeValues } from './performValues';
import type { AppliedPart, ProvisioningStep } from './step';

/**
 * Sends one step. A part is `done` when the answer showed what was wanted; otherwise it is `unverified` and carries
 * the check that a read-back has to pass (see verify). A request whose answer was lost is treated like one that was
 * answered with nothing: what the service shows afterwards decides.
 * @throws RequestError when the step did not happen
 */
export async function performStep(
	step: ProvisioningStep,
	client: ScimClient,
	directory: Directory,
	identities: Identities,
	learned: Learned,
): Promise<AppliedPart[]> {
	switch (step.kind) {
		case 'createUser':
			return await createUser(step, client, directory, identities, learned);
		case 'updateUser':
			return await updateUser(step, client);
		case 'replaceUser':
			return await replaceUser(step, client);
		case 'setActive':
			if (step.active) learned.letIn.add(step.person.id);
			return await setActive(step, client, directory);
		case 'deleteUser':
			return await deleteUser(step, client);
		case 'changeValues':
			return await changeValues(step, client, learned);
		case 'changeMembers':
			return await changeGroup(step, client, directory, identities, learned);
		case 'replaceMembers':
			return await replaceGroup(step, client, directory, learned);
		case 'createGroup':
			return await createGroup(step, client);
		case 'updateGroup':
			return await updateGroup(step, client);
		case 'deleteGroup':
			return await deleteGroup(step, client);
	}
}
