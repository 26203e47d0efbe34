import type { ICredentialType } from 'n8n-workflow';

/** Where n8n shows the icons of what it has loaded from a custom folder. */
const CUSTOM_FOLDER = 'icons/CUSTOM/';

/**
 * Whether n8n gives a credential to its supported nodes alone, in the versions that know it. For a custom folder n8n keeps no
 * supported nodes: there it would refuse the nodes of this package, too.
 */
export function isForOwnNodes({ iconUrl = '' }: ICredentialType): true | undefined {
	const shown = typeof iconUrl === 'string' ? iconUrl : iconUrl.light;
	return shown.startsWith(CUSTOM_FOLDER) ? undefined : true;
}
