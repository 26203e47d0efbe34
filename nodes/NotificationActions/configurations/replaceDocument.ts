import { InputError } from '../../shared/util';
import { compareConfigurations, isSame, isSameLists } from './compareConfigurations';
import type { Configuration, JsonObject } from './configuration';
import type { ConfigurationEdit, Edit } from './saveConfiguration';

/**
 * The change that puts a whole document in the place of the one that was read. It is sent again only while the old one
 * is still there: what another writer stores meanwhile is not overwritten.
 * @param wanted the document to be sent
 */
export function replaceDocument(
	modelId: string,
	read: Configuration,
	wanted: JsonObject,
): ConfigurationEdit {
	const before = read.document;
	const asked = compareConfigurations(before, wanted);
	return {
		keepsRest: false,
		edit(now, isSent): Edit {
			const { document } = now;
			const left = compareConfigurations(document, wanted);
			// Lists that were right before prove nothing: one of the other keys has to be there then.
			const isShown =
				!isSameLists(asked) || asked.otherKeys.some((key) => !left.otherKeys.includes(key));
			const ignored = `The service ignores what was changed in ${left.otherKeys.join(', ')}`;
			const refused = new Map<string, unknown>();
			if (isSameLists(left) && isShown) {
				const warnings = left.otherKeys.length > 0 ? [ignored] : [];
				return { pieces: [], refused, warnings };
			}
			if (isSameLists(left) && isSent === 'yes' && (now.version ?? 0) > (read.version ?? 0)) {
				const advice = 'Only monitors and analyzers can be changed this way.';
				return { pieces: [], refused: refused.set(modelId, new InputError(ignored, advice)) };
			}
			const pieces = [{ id: modelId, before: document, after: wanted }];
			const isOther =
				isSent === 'no' ? now.text !== read.text : !isSame(compareConfigurations(before, document));
			return { pieces, refused, ...(isOther && { conflict: changedSince(modelId) }) };
		},
	};
}

function changedSince(modelId: string): InputError {
	return new InputError(
		`Someone else has changed the configuration of model ${modelId} meanwhile`,
		'Get it again and make the change there.',
	);
}
