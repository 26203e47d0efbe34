export { addTo, cachedPerObject, memoized } from './maps';
export {
	asSentence,
	BREAK,
	chatText,
	shown,
	visible,
	withoutBreaks,
	listIn,
	textList,
	isSecret,
	isSecretName,
} from './text';
export { attempt, type Attempt, attemptSync, InputError, messageOf } from './errors';
export {
	checkDepth,
	DEEPEST,
	isDeepEqual,
	isObject,
	numberOf,
	parseJson,
	withAllDigits,
} from './json';
export {
	addressIn,
	composedName,
	isEmailAddress,
	isMistypedAddress,
	looksLikeEmail,
	oddCharacter,
	isSpelledOneWay,
	nameKey,
	nearNames,
	disambiguated,
	wildcard,
	typosIn,
} from './names';
export {
	serially,
	type Turns,
	mapConcurrent,
	isLate,
	type Moment,
	momentOf,
	type Stop,
	type Timing,
	poll,
	monotonicNow,
} from './timing';
export {
	clockIn,
	hasBegun,
	isLater,
	isOver,
	isReversed,
	readWhen,
	type When,
	whenText,
} from './when';
