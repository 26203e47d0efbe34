import { hasStatus, isRefusal, type RequestError } from '../../http';
import { attempt, isObject } from '../../util';
import type { Attributes } from '../protocol/resource';

/** How something is written other than as usual: a PATCH with one operation per path. */
export type FormName = 'withoutPath' | 'nothingByPath' | 'wholeAttributes' | 'wholeResource';

/** The forms that are in use together. */
export type Form = ReadonlySet<FormName>;

interface FormRule {
	name: FormName;
	/** Refusals after which it is tried. */
	after: readonly number[];
	/** Whether it makes another request of these attributes. */
	changes(attributes: Attributes): boolean;
	/**
	 * Whether it is also tried where they were taken and are not seen when Verification Time ends.
	 * @param hasNoEffect whether nothing that was sent has changed anything
	 */
	helpsUnseen(attributes: Attributes, hasNoEffect: boolean): boolean;
	/** Whether it is tried where the service has failed at a rename, and a look shows that it was not made. */
	helpsFailed?: boolean;
}

const isPlain = (value: unknown) => typeof value !== 'string' && value !== null && !isObject(value);
/** A path that chooses among values leads to no attribute of a resource (RFC 7644 section 3.5.2). */
const namesAttributes = (attributes: Attributes) =>
	Object.keys(attributes).every((name) => !name.includes('['));
const hasText = (attributes: Attributes) =>
	Object.values(attributes).some((value) => typeof value === 'string');
const hasComplex = (attributes: Attributes) =>
	Object.entries(attributes).some(([name, value]) => isObject(value) && !/^urn:/i.test(name));

/**
 * The forms that are tried, in this order, where a service does not take the usual one; what works is kept for the run. None
 * can harm. A removal of members has no other form of PATCH: some services take a list of values for all members.
 */
const FORMS: readonly FormRule[] = [
	{
		// `{ op, value: { active: false } }`: django-scim2 takes text alone by path.
		name: 'withoutPath',
		after: [400, 501],
		changes: (attributes) => Object.values(attributes).some(isPlain),
		helpsUnseen: ({ active }) => active !== undefined,
	},
	{
		// `{ op, value: { userName: 'ana' } }`: text by path was 500 on django-scim2 (issue 22) and WSO2 (product-is issue 10685).
		name: 'nothingByPath',
		after: [],
		changes: hasText,
		helpsUnseen: () => false,
		helpsFailed: true,
	},
	{
		// `name` as read, with what changes in it: pranems stores `name.givenName` beside it.
		name: 'wholeAttributes',
		after: [400, 501],
		changes: hasComplex,
		helpsUnseen: hasComplex,
	},
	{
		// PUT of what was just read: authentik before 2025 and Zitadel have no PATCH of groups, and a PATCH of a user changes
		// nothing on keystone.
		name: 'wholeResource',
		after: [405, 501],
		changes: namesAttributes,
		helpsUnseen: (_, hasNoEffect) => hasNoEffect,
	},
];

const USUAL: Form = new Set();

/** How a service takes what is written of users or of groups, as far as its answers of this run tell. */
export class Forms {
	private inUse: Form = USUAL;

	/** Those that were of no use. */
	private readonly useless = new Set<FormName>();

	/** Whether a PATCH was taken. */
	private hasPatched = false;

	/** Whether a PATCH was seen to change something. */
	private hasEffect = false;

	/** The form that one change tries for all others. */
	private trial?: FormName;

	/** @param isKnown whether no other form than the usual one is tried */
	constructor(private readonly isKnown: boolean) {}

	/**
	 * Sends in the form in use, and where that is refused in the next one.
	 * @param more a form that this change is to be tried in
	 * @throws what the first one was refused with, where no other form was taken
	 */
	async send<T>(
		attributes: Attributes,
		send: (form: Form) => Promise<T>,
		more?: FormName,
	): Promise<T> {
		const usual = this.formFor(attributes, more);
		const first = await attempt(async () => await send(usual));
		if (first.ok) {
			this.hasPatched ||= !usual.has('wholeResource');
			return first.value;
		}
		for (const { name, after } of this.untried(attributes, usual)) {
			if (!hasStatus(first.error, ...after)) continue;
			if (name === 'wholeResource' && this.knowsPatch(first.error)) continue;
			const next = new Set([...usual, name]);
			const tried = await attempt(async () => await send(next));
			if (tried.ok) {
				this.use(name);
				return tried.value;
			}
			if (hasStatus(tried.error, ...after)) this.useless.add(name);
			else if (name === 'wholeResource' || !isRefusal(tried.error)) throw tried.error;
		}
		throw first.error;
	}

	/** Leaves a whole resource out of the forms in use where it cannot have these attributes. */
	private formFor(attributes: Attributes, more?: FormName): Form {
		const names = more === undefined ? [...this.inUse] : [...this.inUse, more];
		return new Set(names.filter((name) => name !== 'wholeResource' || namesAttributes(attributes)));
	}

	/** Whether 501 says that it is this PATCH that is not known: another was taken, or the answer names what is wrong with it. */
	private knowsPatch({ status, facts }: RequestError): boolean {
		return status === 501 && (this.hasPatched || facts.errorType !== undefined);
	}

	/**
	 * Names the form in which a change is tried again that was taken and is not seen; undefined where there is none. A whole
	 * resource is the last one, and none where a PATCH has changed something in this run: that one value is kept otherwise then.
	 * @param hasNoEffect whether nothing that was sent has changed anything
	 * @param isSecond whether another form was tried of it before
	 */
	afterNoEffect(
		attributes: Attributes,
		hasNoEffect = false,
		isSecond = false,
	): FormName | undefined {
		const names = this.untried(attributes, this.inUse)
			.filter(({ helpsUnseen }) => helpsUnseen(attributes, hasNoEffect && !this.hasEffect))
			.map(({ name }) => name);
		return isSecond ? names.find((name) => name === 'wholeResource') : names[0];
	}

	/** Names the form in which a rename is tried again that the service has failed at, and that was not made. */
	afterFailure(attributes: Attributes): FormName | undefined {
		const untried = this.untried(attributes, this.inUse);
		return untried.find(({ helpsFailed }) => helpsFailed === true)?.name;
	}

	/** Notes that a PATCH was seen to change something. */
	noteEffect(): void {
		this.hasEffect = true;
	}

	/** Tells whether a form was tried and was of no use. */
	isUseless(name: FormName): boolean {
		return this.useless.has(name);
	}

	/** Whether a change may try a form: one does for all. */
	takesTrial(name: FormName): boolean {
		if (this.inUse.has(name) || this.useless.has(name)) return this.inUse.has(name);
		const isFirst = this.trial === undefined;
		this.trial ??= name;
		return isFirst;
	}

	/** What came of a form that a change was tried in. */
	ended(name: FormName, hadEffect: boolean): void {
		if (hadEffect) this.use(name);
		else this.useless.add(name);
		if (this.trial === name) delete this.trial;
	}

	private use(name: FormName): void {
		this.inUse = new Set([...this.inUse, name]);
	}

	private untried(attributes: Attributes, form: Form): FormRule[] {
		// Of a whole resource there is one form.
		if (this.isKnown || form.has('wholeResource')) return [];
		return FORMS.filter(
			({ name, changes }) => !form.has(name) && !this.useless.has(name) && changes(attributes),
		);
	}
}
