import type { User } from '../protocol/resource';

/** Whether a user is active. */
export type Activity = 'active' | 'inactive' | 'not told';

/** Says what one answer shows of a user; what the run knows of it is for `Facts.activity` to say. */
export function shownActivity(user: Pick<User, 'active'> | undefined): Activity {
	if (user?.active === undefined) return 'not told';
	return user.active ? 'active' : 'inactive';
}

/** Gives `active` as an item or a body repeats it. */
export function shownActive(user: Pick<User, 'active'> | undefined): boolean | undefined {
	return user?.active;
}
