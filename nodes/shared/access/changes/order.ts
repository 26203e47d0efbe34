import { orderBy, type Forerunner, type Order, type Rule as RuleOf } from '../../run';
import { attribute, type Traits } from '../../scim';
import { cachedPerObject, nameKey } from '../../util';
import { accountKey, changesByKey, isOfValue, kindOf, type Change, type Kind } from './change';
import { newManagerIn } from './account';

interface Rule extends RuleOf<Change, Kind> {
	/** Where the rule holds. */
	where?(traits: Traits): boolean;
}

const refusesInactive = ({ inactiveRefusesGroupChanges }: Traits) =>
	inactiveRefusesGroupChanges === true;
const sparesInactive = (traits: Traits) => !refusesInactive(traits);

/** What comes first of the changes of one person. Where memberships outlive the account, leavers are shut out first. */
const RULES: readonly Rule[] = [
	{ first: ['created', 'activated'], then: ['granted', 'moved'], must: true },
	// What the person is to have instead is seen before anything is taken. The values of a user go in one request.
	{
		first: ['granted', 'moved'],
		then: ['revoked'],
		must: true,
		of: (then) => then.about === 'entitlement' && !isOfValue(then) && then.after.length === 0,
	},
	{
		first: ['deactivated'],
		then: ['revoked'],
		// Who is deactivated for having nothing else must not lose it and stay active: no later run would notice.
		must: ({ restsOn }) => restsOn.some(({ on }) => on === 'nothingElse'),
		where: sparesInactive,
	},
	{ first: ['revoked'], then: ['deactivated'], must: false, where: refusesInactive },
	{ first: ['deactivated', 'revoked'], then: ['deleted'], must: false },
	// Two requests on one user go one after the other.
	{ first: ['updated', 'activated'], then: ['revoked'], must: false },
	{ first: ['updated'], then: ['granted'], must: false },
	{ first: ['deactivated'], then: ['granted'], must: false, where: sparesInactive },
];

/** Managers whom the plan creates come before those who name them, except where they would wait for each other. */
function managersFirst(changes: readonly Change[], order: Order<Change>): Order<Change> {
	const managers = new Map<Change, Change>();
	let byKey: ReadonlyMap<string, Change> | undefined;
	for (const change of changes) {
		const name = change.about === 'account' ? newManagerIn(change.attributes) : undefined;
		if (name === undefined) continue;
		byKey ??= changesByKey(changes);
		const manager = byKey.get(accountKey('create', { key: nameKey(name) }));
		let above = manager;
		while (above !== undefined && above !== change) above = managers.get(above);
		if (manager !== undefined && above === undefined) managers.set(change, manager);
	}
	if (managers.size === 0) return order;
	const shared = cachedPerObject((manager: Change) => [{ change: manager, must: false }]);
	return behind([...managers.keys()], (change) => shared(managers.get(change) ?? change), order);
}

/** The order in which some changes wait for others as well. */
function behind(
	later: readonly Change[],
	first: (change: Change) => ReadonlyArray<Forerunner<Change>>,
	order: Order<Change>,
): Order<Change> {
	return new Map([
		...order,
		...later.map((change) => [change, [...(order.get(change) ?? []), first(change)]] as const),
	]);
}

/** Whether a change is right only as long as the list that it was made of lacks nobody. */
export function restsOnWholeList({ restsOn }: Change): boolean {
	return restsOn.some(({ on }) => on === 'wholeList');
}

/** Whether a change is refused where somebody has the user name: a create, and a rename. */
export function takesUserName(change: Change): boolean {
	if (change.about !== 'account') return false;
	return change.before === 'absent' || attribute(change.attributes, 'userName') !== undefined;
}

/** What each change waits for: by the rules of its person, and the changes that it rests on. */
export function orderOf(changes: readonly Change[], traits: Traits): Order<Change> {
	const rules = RULES.filter(({ where }) => where?.(traits) !== false);
	const order = orderBy(changes, rules, kindOf, (change) =>
		change.about === 'group' ? undefined : change.person.key,
	);
	const withManagers = managersFirst(changes, order);
	// Who meets a user whom the list lacked stops them, whatever comes of it otherwise.
	const later = changes.filter(restsOnWholeList);
	const first = (later.length > 0 ? changes : []).flatMap((change) =>
		takesUserName(change) ? { change, must: false } : [],
	);
	return first.length === 0 ? withManagers : behind(later, () => first, withManagers);
}
