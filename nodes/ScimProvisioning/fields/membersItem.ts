import type { IDataObject } from 'n8n-workflow';

import type { AppliedPart } from '../../shared/access';
import type { Surroundings } from '../road';
import { groupName } from './group';
import { outcomeItem, whoOf, worstStatus } from './userItem';

/** The output of an operation on the members of one group: the group, and what became of each person. */
export function changedMembers(
	parts: readonly AppliedPart[],
	surroundings: Surroundings,
): IDataObject {
	const group = parts.find(({ result }) => result?.group !== undefined)?.result?.group;
	return {
		...(group && { group: groupName(group, surroundings) }),
		...worstStatus(parts.map(({ outcome }) => outcome)),
		members: parts.map((part) => ({
			...whoOf(part),
			outcome: outcomeItem(part),
		})),
	};
}
