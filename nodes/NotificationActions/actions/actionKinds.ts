import { InputError, isEmailAddress } from '../../shared/util';
import { parseUrl } from '../../shared/http';

/** What an action delivers to. `other` is whatever a deployment knows beside these. */
export type ActionKind = 'chatWebhook' | 'email' | 'incidentPaging' | 'other' | 'teams' | 'webhook';

/** The path segment of a kind and the field of its payload that matters (docs/interface.md 2.4). */
export const KINDS: Readonly<
	Record<Exclude<ActionKind, 'other'>, { segment: string; field: string }>
> = {
	chatWebhook: { segment: 'SLACK', field: 'slackWebhook' },
	email: { segment: 'EMAIL', field: 'email' },
	incidentPaging: { segment: 'PAGER_DUTY', field: 'pagerDutyKey' },
	teams: { segment: 'TEAMS', field: 'webhook' },
	webhook: { segment: 'WEBHOOK', field: 'url' },
};

/**
 * The target that stands for the address in the organization's settings (docs/interface.md 1.6). Where the list shows an
 * action of that name, it is one like any other (2.4).
 */
export const DEFAULT_EMAIL_TARGET = 'email';

/** What a service stores for a field that was not sent (docs/interface.md 2.4). */
const PLACEHOLDER = 'PLACEHOLDER';
const LONGEST_ID = 100;
const ID = /^[0-9a-zA-Z_-]+$/;

/** @returns the id, without blanks around it. @throws InputError for an id that could never be attached */
export function checkActionId(value: unknown): string {
	const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (id === '') throw new InputError('No action is given', 'Give the ID of the action.');
	if (!ID.test(id)) {
		throw new InputError(
			`"${id.slice(0, LONGEST_ID)}" is not an ID of an action`,
			'It may contain letters, digits, hyphens and underscores, nothing else.',
		);
	}
	if (id.length > LONGEST_ID) {
		throw new InputError(
			`The action ID ${id.slice(0, 20)}… has ${id.length} characters`,
			`With more than ${LONGEST_ID} it can never be attached to a monitor. Choose a shorter one.`,
		);
	}
	return id;
}

/** @throws InputError for a path segment that no kind can have */
export function checkKindSegment(value: unknown): string {
	const segment = String(value ?? '').trim();
	if (ID.test(segment)) return segment;
	throw new InputError(
		segment === '' ? 'The kind is empty' : `"${segment.slice(0, 50)}" is not a kind of action`,
		'Give it as the service names it in its addresses, e.g. SLACK.',
	);
}

/** @throws InputError for anything but an e-mail address */
export function checkEmail(value: unknown): string {
	const email = String(value ?? '').trim();
	if (isEmailAddress(email)) return email;
	throw new InputError(
		email === '' ? 'The e-mail is missing' : `"${email.slice(0, 100)}" is not an e-mail address`,
		'Give one address, e.g. name@email.com.',
	);
}

/** The value is a secret, so no message shows it. @throws InputError for anything but an https URL */
export function checkHttpsUrl(value: unknown): string {
	const text = String(value ?? '').trim();
	const url = parseUrl(text);
	if (text === '' || url === undefined || /\s/.test(text) || !/^\w+:\/\/[^/]/.test(text)) {
		throw new InputError(
			text === '' ? 'The URL is missing' : 'The URL is not valid',
			'Give the whole URL, with https:// in front. The service itself does not check it.',
		);
	}
	if (url.protocol !== 'https:') {
		throw new InputError(
			'The URL does not start with https://',
			'The service delivers over HTTPS only.',
		);
	}
	return text;
}

/** The value is a secret, so no message shows it. @throws InputError for anything that no service key can be */
export function checkServiceKey(value: unknown): string {
	const key = String(value ?? '').trim();
	if (/^[\x21-\x7e]+$/.test(key) && key !== PLACEHOLDER) return key;
	throw new InputError(
		key === '' ? 'The service key is missing' : 'The service key is not valid',
		'Copy the integration key of the service in your paging tool, without blanks in it.',
	);
}

/** What the service does to the URL of a Webhook action (docs/interface.md 2.4). */
export function webhookWarnings(text: string): string[] {
	const url = parseUrl(text);
	const lost = [
		...(url !== undefined && url.port !== '' ? [`the port ${url.port}`] : []),
		...(url !== undefined && url.search !== '' ? ['the query'] : []),
	];
	return lost.length === 0
		? []
		: [
				`Webhook deliveries drop ${lost.join(' and ')} of the URL and go to port 443: put it into the path, or a proxy in front`,
			];
}
