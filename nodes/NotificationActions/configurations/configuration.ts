import { InputError, isObject, parseJson } from '../../shared/util';
import { elementsOf, memberNamed, membersOf, wholeOf, type Span } from './jsonText';

/** One entry of a monitor's `actions`. */
export interface ActionEntry extends Span {
	/** Id of the action, for entries of type `global`; others are left alone. */
	target?: string;
	/** Where the target stands. */
	targetSpan?: Span;
}

/** A monitor as it stands in the text of a configuration (test/contract/interface.md 2.5). */
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
	const document = documentOf(text);
	if (document === undefined) {
		throw new InputError(
			'The monitor configuration is not a JSON object',
			'Check what the service answers for this model.',
		);
	}
	const members = membersOf(text, wholeOf(text));
	const [monitors, analyzers] = ['monitors', 'analyzers'].map((name): unknown[] => {
		const list = document[name] === undefined ? [] : document[name];
		if (Array.isArray(list)) return list;
		throw new InputError(
			`${name} in the monitor configuration is not a list`,
			'Check what the service answers for this model.',
		);
	});
	const place = memberNamed(members, 'monitors');
	const spans = place === undefined ? [] : elementsOf(text, place);
	const flag = memberNamed(members, 'allowPartialTargetBatches');
	const version = versionOf(document);
	return {
		text,
		monitors: spans.flatMap((span, at) => readMonitor(text, span, monitors[at]) ?? []),
		analyzerIds: analyzers.flatMap((analyzer) =>
			isObject(analyzer) && typeof analyzer.id === 'string' ? [analyzer.id] : [],
		),
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

/** @param value what stands in the span. @returns undefined for anything else than an object with an id */
function readMonitor(text: string, span: Span, value: unknown): Monitor | undefined {
	if (!isObject(value) || typeof value.id !== 'string') return undefined;
	const { id, displayName, severity, tags, actions } = value;
	const members = membersOf(text, span);
	const list = memberNamed(members, 'actions');
	const version = versionOf(value);
	return {
		...span,
		id,
		...(typeof displayName === 'string' && displayName !== '' && { displayName }),
		disabled: value.disabled === true,
		...(typeof severity === 'number' && { severity }),
		tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
		...(version !== undefined && { version }),
		...(list !== undefined && { actionsSpan: { start: list.start, end: list.end } }),
		...(list !== undefined &&
			Array.isArray(actions) && {
				actions: elementsOf(text, list).map((entry, at) => readEntry(text, entry, actions[at])),
			}),
		hasStrangeActions: !Array.isArray(actions ?? []),
		lastMemberEnd: members[members.length - 1].end,
		indent: text.slice(span.start + 1, members[0].nameStart),
	};
}

function readEntry(text: string, span: Span, value: unknown): ActionEntry {
	if (!isObject(value) || value.type !== 'global' || typeof value.target !== 'string') return span;
	const place = memberNamed(membersOf(text, span), 'target');
	if (place === undefined) return span;
	return { ...span, target: value.target, targetSpan: { start: place.start, end: place.end } };
}

function versionOf({ metadata }: Readonly<Record<string, unknown>>): number | undefined {
	return isObject(metadata) && typeof metadata.version === 'number' ? metadata.version : undefined;
}
