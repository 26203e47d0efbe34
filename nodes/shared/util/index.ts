export { addTo, cachedPerObject, memoized } from './maps';
export { asSentence, BREAK, chatText, withoutBreaks } from './chatText';
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
} from './emailAddress';
export { shown, visible } from './foreignText';
export { serially, type Turns, mapConcurrent } from './concurrency';
export { isSpelledOneWay, nameKey, nearNames, disambiguated, wildcard } from './names';
export { isLate, type Moment, momentOf, type Stop, type Timing, poll } from './poll';
export { monotonicNow } from './monotonic';
export { listIn, textList } from './textList';
export { isSecret, isSecretName } from './secretName';
export { typosIn } from './typos';
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
