import { InputError, isObject, parseJson } from '../../shared/util';
import {
	elementsOf,
	memberNamed,
	membersOf,
	wholeOf,
	type MemberSpan,
	type Span,
} from './jsonText';

/** One entry of a monitor's `actions`. */
export interface ActionEntry extends Span {
	/** Id of the action, for entries of type `global`; others are left alone. */
	target?: string;
	/** Where the target stands. */
	targetSpan?: Span;
}

/** A monitor as it stands in the text of a configuration (docs/interface.md 2.5). */
export interface Monitor extends Span {
	id: string;
	displayName?: string;
	disabled: boolean;
	severity?: number;
	tags: string[];
	/** Goes up by one with every write of the monitor; undefined when the service shows none. */
	version?: number;
	/** Undefined for a monitor without `actions`, or where it is not a list. */
	actions?: ActionEntry[];
	/** Where the value of `actions` stands. */
	actionsSpan?: Span;
	/** Whether `actions` is there and is not a list. */
	hasStrangeActions: boolean;
	/** Where the last member of the monitor ends: new members go there. */
	lastMemberEnd: number;
	/** The whitespace before its members, for a new one to look like the others. */
	indent: string;
}

/** A monitor configuration, read from its text without changing a character of it. */
export interface Configuration {
	text: string;
	monitors: Monitor[];
	analyzerIds: string[];
	/** Goes up by one with every write of the document; undefined when the service shows none. */
	version?: number;
	/** The flag that a merge deletes when it is left out; its exact text. */
	allowPartialTargetBatches?: string;
}

/**
 * Reads a configuration.
 * @throws InputError when the text is not a JSON object, or `monitors` or `analyzers` is there and is not a list
 */
export function readConfiguration(text: string): Configuration {
	if (documentOf(text) === undefined) {
		throw new InputError(
			'The monitor configuration is not a JSON object',
			'Check what the service answers for this model.',
		);
	}
	const members = membersOf(text, wholeOf(text));
	const listOf = (name: string): Span[] => {
		const member = memberNamed(members, name);
		if (member === undefined) return [];
		if (text[member.start] === '[') return elementsOf(text, member);
		throw new InputError(
			`${name} in the monitor configuration is not a list`,
			'Check what the service answers for this model.',
		);
	};
	const flag = memberNamed(members, 'allowPartialTargetBatches');
	const version = versionOf(text, members);
	return {
		text,
		monitors: listOf('monitors').flatMap((span) => readMonitor(text, span) ?? []),
		analyzerIds: listOf('analyzers').flatMap((span) => {
			const id = text[span.start] === '{' ? valueOf(text, membersOf(text, span), 'id') : undefined;
			return typeof id === 'string' ? [id] : [];
		}),
		...(version !== undefined && { version }),
		...(flag !== undefined && { allowPartialTargetBatches: text.slice(flag.start, flag.end) }),
	};
}

/** The document as an object; undefined for anything else. */
export function documentOf(text: string): Record<string, unknown> | undefined {
	const document = parseJson(text);
	return isObject(document) ? document : undefined;
}

/** The name that people know a monitor by. */
export function nameOf({ displayName, id }: Monitor): string {
	return displayName ?? id;
}

/** Ids of the actions of a monitor, each once. */
export function targetsOf({ actions = [] }: Monitor): string[] {
	return [...new Set(actions.flatMap(({ target }) => target ?? []))];
}

/** Undefined for anything else than an object with an id. */
function readMonitor(text: string, span: Span): Monitor | undefined {
	if (text[span.start] !== '{') return undefined;
	const members = membersOf(text, span);
	const value = (name: string) => valueOf(text, members, name);
	const id = value('id');
	if (typeof id !== 'string') return undefined;
	const [displayName, severity, tags] = [value('displayName'), value('severity'), value('tags')];
	const version = versionOf(text, members);
	const actions = memberNamed(members, 'actions');
	const isList = actions !== undefined && text[actions.start] === '[';
	const isNone = actions === undefined || text.slice(actions.start, actions.end) === 'null';
	return {
		...span,
		id,
		...(typeof displayName === 'string' && displayName !== '' && { displayName }),
		disabled: value('disabled') === true,
		...(typeof severity === 'number' && { severity }),
		tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
		...(version !== undefined && { version }),
		...(isList && { actions: elementsOf(text, actions).map((entry) => readEntry(text, entry)) }),
		...(actions !== undefined && { actionsSpan: { start: actions.start, end: actions.end } }),
		hasStrangeActions: !isList && !isNone,
		lastMemberEnd: members[members.length - 1].end,
		indent: text.slice(span.start + 1, members[0].nameStart),
	};
}

function readEntry(text: string, span: Span): ActionEntry {
	if (text[span.start] !== '{') return span;
	const members = membersOf(text, span);
	const target = memberNamed(members, 'target');
	if (target === undefined || valueOf(text, members, 'type') !== 'global') return span;
	const id = JSON.parse(text.slice(target.start, target.end)) as unknown;
	if (typeof id !== 'string') return span;
	return { ...span, target: id, targetSpan: { start: target.start, end: target.end } };
}

function versionOf(text: string, members: readonly MemberSpan[]): number | undefined {
	const metadata = valueOf(text, members, 'metadata');
	const version =
		typeof metadata === 'object' && metadata !== null && 'version' in metadata
			? metadata.version
			: undefined;
	return typeof version === 'number' ? version : undefined;
}

function valueOf(text: string, members: readonly MemberSpan[], name: string): unknown {
	const member = memberNamed(members, name);
	return member === undefined
		? undefined
		: (JSON.parse(text.slice(member.start, member.end)) as unknown);
}
