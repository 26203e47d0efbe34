'use strict';

const SHOWN = 200;

/**
 * What the page shows: who is in which group, and the last requests. Of these it has no header, and of what they hold
 * names alone: a token or a password is never among them.
 *
 * In: the state and the log of a service. Out: `{ groups, users, requests }`, with names in place of ids.
 */
function look({ organizations, directory }, { requests }) {
	const { users, groups, about } = directory;
	const named = new Map([
		...[...users.values()].map(({ id, userName }) => [id, userName]),
		...[...groups.keys()].map((id) => [id, groupName(id, organizations, about)]),
	]);
	const nameOf = (id) => named.get(id) ?? id;
	return {
		groups: [...groups].map(([id, members]) => ({
			name: nameOf(id),
			members: members.map(nameOf),
		})),
		users: [...users.values()].map(({ userName, active }) => ({ userName, active })),
		requests: requests.slice(-SHOWN).map(({ method, path, status, body }) => ({
			...{ method, status },
			path: path.split('/').map(decoded).map(nameOf).join('/'),
			details: detailsOf(body, nameOf),
		})),
	};
}

/** A group of an organization is a role there. */
function groupName(id, organizations, about) {
	const [organizationId, role] = id.split(':');
	const organization = organizations.find((one) => one.id === organizationId);
	return organization ? `${organization.name}: ${role}` : about.get(id).displayName;
}

function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Out: whom a body is about, and a line for each step of a PATCH. */
function detailsOf(body, nameOf) {
	if (typeof body?.userName === 'string') return [body.userName];
	const steps = Array.isArray(body?.Operations) ? body.Operations : [];
	return steps.map((step) => [step?.op, ...targetsOf(step ?? {}, nameOf)].join(' '));
}

function targetsOf({ path, value }, nameOf) {
	const target = path && String(path).replace(/"([^"]*)"/g, (quoted, id) => nameOf(id));
	if (Array.isArray(value)) return [target, value.map((one) => nameOf(one?.value)).join(', ')];
	if (path !== undefined) return [changed(target, value)];
	return typeof value === 'object' ? Object.entries(value ?? {}).map((one) => changed(...one)) : [];
}

/** Of values only yes and no are shown. */
function changed(attribute, value) {
	return typeof value === 'boolean' ? `${attribute}: ${value}` : attribute;
}

module.exports = { look };
