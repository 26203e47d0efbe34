import type { Attributes } from '../scim';

export const CHANGE_KINDS = [
	'created',
	'updated',
	'activated',
	'deactivated',
	'deleted',
	'granted',
	'moved',
	'revoked',
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One change of a plan as JSON. What does not apply is null. */
export interface PlannedChange {
	change: ChangeKind;
	/** The person; null for somebody to be created. */
	id: string | null;
	userName: string | null;
	/** Display name and ID of the group, for memberships; of a move, the new group. */
	group: string | null;
	groupId: string | null;
	organization: string | null;
	organizationName: string | null;
	roleBefore: string | null;
	role: string | null;
	/** What the user showed, where it decides. */
	activeBefore: boolean | null;
	/** For deactivated and deleted: IDs of all groups of the person; null where they are not known. */
	groupsBefore: string[] | null;
	/** Of a created or updated user, without secrets. */
	attributes?: Attributes;
	why: string;
}

const SECRET_NAME = /(password|passphrase|passcode|secret|token|private_?key)$/i;

/** The attributes as JSON without secrets, at any depth: plans are stored and sent to chats. */
export function withoutSecrets(attributes: Attributes): Attributes {
	// A boolean such as mustChangePassword is no secret.
	const text = JSON.stringify(attributes, (name, value: unknown) =>
		SECRET_NAME.test(name) && typeof value !== 'boolean' ? undefined : value,
	);
	return JSON.parse(text) as Attributes;
}
