export { addTo } from './addTo';
export { asSentence } from './asSentence';
export { attempt, type Attempt, attemptSync } from './attempt';
export { chatText } from './chatText';
export { checkDepth, DEEPEST } from './depth';
export {
	addressIn,
	composedName,
	isEmailAddress,
	isMistypedAddress,
	looksLikeEmail,
	oddCharacter,
	shown,
} from './emailAddress';
export { InputError } from './inputError';
export { inTurn, type Turns } from './inTurn';
export { isDeepEqual } from './isDeepEqual';
export { isObject } from './isObject';
export { mapConcurrent } from './mapConcurrent';
export { madeOnce, memoized } from './memoized';
export { messageOf } from './messageOf';
export { isSpelledOneWay, nameKey } from './nameKey';
export { nearNames } from './nearNames';
export { numberOf } from './numberOf';
export { parseJson } from './parseJson';
export { isLate, type Moment, momentOf, type Patience, poll } from './poll';
export { listIn, textList } from './textList';
export { isSecret, isSecretName } from './secretName';
export { toldApart } from './toldApart';
export { wildcard } from './wildcard';
export { withAllDigits } from './withAllDigits';
