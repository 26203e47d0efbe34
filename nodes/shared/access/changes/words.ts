import { shown } from '../../util';
import type { Kind } from './change';

/** What a sentence says was done, and what is said where it was so already; both follow "was". */
export type Words = readonly [done: string, already: string];

/** Of changes that need no place. */
export const WORDS: Readonly<Record<Kind, Words>> = {
	created: ['created', 'already there'],
	updated: ['updated', 'already up to date'],
	activated: ['activated', 'already active'],
	deactivated: ['deactivated', 'already inactive'],
	deleted: ['deleted', 'already gone'],
	granted: ['given access', 'already given access'],
	moved: ['moved', 'already moved'],
	revoked: ['removed', 'not a member'],
};

/** What an item says of access; null for what it does not have. */
export type AccessNames = Partial<
	Record<'group' | 'organizationName' | 'roleBefore' | 'role' | 'attribute', string | null>
>;

/** Of a change of access. */
export function accessWords(kind: Kind, item: AccessNames): Words {
	const { group, organizationName, attribute } = item;
	const [role, roleBefore] = [item.role, item.roleBefore].map((one) => one && shown(one));
	const isTaken = kind === 'revoked';
	if (attribute) {
		const value = `${role} (${attribute})`;
		return isTaken
			? [`stripped of ${value}`, `already without ${value}`]
			: [`given ${value}`, `already given ${value}`];
	}
	const place = shown(organizationName ?? group ?? '');
	if (place === '' || !['granted', 'moved', 'revoked'].includes(kind)) return WORDS[kind];
	if (isTaken) return [`removed from ${place}`, `not in ${place}`];
	const as = role ? ` as ${role}` : '';
	const already = `already in ${place}${as}`;
	return kind === 'moved' && roleBefore
		? [`moved from ${roleBefore} to ${role} in ${place}`, already]
		: [`added to ${place}${as}`, already];
}
