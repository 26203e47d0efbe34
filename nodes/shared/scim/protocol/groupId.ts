import { InputError } from '../../util';

/** The organization and role that a group stands for. */
export interface OrganizationRole {
	organization: string;
	role: string;
}

// Answers carry this in front of the organization, requests may leave it out (docs/interface.md 2.3).
const CANONICAL_PREFIX = /^whylabs-(?=org-)/i;

/** An organization id as people write it, without the prefix that answers carry. */
export function normalizeOrganization(id: string): string {
	return id.trim().replace(CANONICAL_PREFIX, '');
}

/** Reads and makes group ids after the pattern of a profile, for example `{organization}:{role}`. */
export interface GroupIds {
	/** Undefined when the id is not of the pattern, or the pattern is empty. */
	parse(id: string): OrganizationRole | undefined;
	/** @throws InputError when the profile has no pattern, so that groups stand for no organizations */
	requirePattern(): void;
	/** @throws InputError when the profile has no pattern */
	format(assignment: OrganizationRole): string;
	/** Equal for two ids of the same group: ids are compared by this only. */
	key(id: string): string;
}

/**
 * @param pattern `{organization}` and `{role}` once each, or empty
 * @throws InputError for any other pattern
 */
export function groupIds(pattern: string): GroupIds {
	const parts = pattern.split(/(\{organization\}|\{role\})/);
	if (pattern !== '' && (parts.length !== 5 || parts[1] === parts[3] || parts[2] === '')) {
		throw new InputError(
			`"${pattern}" is not a group ID pattern`,
			'Use {organization} and {role} once each with something between them, e.g. {organization}:{role}.',
		);
	}
	const parse = (id: string) => (pattern === '' ? undefined : split(id.trim(), parts));
	const requirePattern = () => {
		if (pattern !== '') return;
		throw new InputError(
			'The credential does not say which organization and role a group stands for',
			'If group IDs spell organization and role, enter a Group ID Pattern in the credential, e.g. {organization}:{role}. Otherwise use the operations of the Group resource.',
		);
	};
	return {
		parse,
		requirePattern,
		format({ organization, role }) {
			requirePattern();
			return pattern
				.replace('{organization}', () => normalizeOrganization(organization))
				.replace('{role}', () => role.trim().toLowerCase());
		},
		key(id) {
			const parsed = parse(id);
			return parsed === undefined ? id.trim() : `${parsed.organization}\n${parsed.role}`;
		},
	};
}

/** Roles are single words: the text between the placeholders is looked for next to the role. */
function split(id: string, parts: string[]): OrganizationRole | undefined {
	const [before, first, between, , after] = parts;
	if (!id.startsWith(before) || !id.endsWith(after)) return undefined;
	const middle = id.slice(before.length, id.length - after.length);
	const at = first === '{organization}' ? middle.lastIndexOf(between) : middle.indexOf(between);
	if (at <= 0 || at + between.length >= middle.length) return undefined;
	const left = middle.slice(0, at);
	const right = middle.slice(at + between.length);
	const [organization, role] = first === '{organization}' ? [left, right] : [right, left];
	return { organization: normalizeOrganization(organization), role: role.toLowerCase() };
}
