import { memoized } from '../../util';
import { SCHEMA } from '../protocol/resource';
import type { Traits } from '../protocol/traits';
import type { Keeping } from './wire';

/** Of users and of groups; they are read out, and no request sends them back. */
const MEMBERSHIPS: ReadonlySet<string> = new Set(['groups', 'members']);

/** What tells who it is, and whether the account is open. */
const IDENTITY = [
	'active',
	'displayname',
	'emails',
	'externalid',
	'id',
	'meta',
	'name',
	'username',
];

const CORE = `${SCHEMA.user.toLowerCase()}:`;

/** Tells which attributes of users and groups a run needs of all that is shown. */
export function keptNames(
	{ keeps }: Keeping,
	{ accessAttributes }: Pick<Traits, 'accessAttributes'>,
): (name: string) => boolean {
	if (keeps === 'all') return () => true;
	if (keeps === undefined) return (name) => !MEMBERSHIPS.has(name.toLowerCase());
	const names = new Set([...IDENTITY, ...[...accessAttributes, ...keeps].map(outermost)]);
	// Thousands of users have attributes of the same names.
	return memoized((name) => names.has(outermost(name)) || /^urn:/i.test(name));
}

/** The attribute that a path begins with. */
function outermost(path: string): string {
	const lower = path.toLowerCase();
	const own = lower.startsWith(CORE) ? lower.slice(CORE.length) : lower;
	return own.split(/[.[]/, 1)[0];
}
