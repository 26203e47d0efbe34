import type {
	ICredentialDataDecryptedObject,
	INodeListSearchResult,
	INodeParameters,
} from 'n8n-workflow';

import type { ListSearchOptions, RunNodeResult } from '../harness';
import type { RunOptions } from './node';

/** The key of the test credential. */
export const KEY: string;

export type AlertResource = 'action' | 'monitor' | 'monitorConfiguration';

/** The credential of the tests: nock stands at this address. */
export function alertCredential(
	changes?: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject;

/** Runs the built node in n8n-core. */
export function alert(
	resource: AlertResource,
	operation: string,
	parameters?: INodeParameters,
	more?: RunOptions,
): Promise<RunNodeResult>;

/** Calls a list search of the built node as the editor does. */
export function alertSearch(
	method: string,
	options?: Omit<ListSearchOptions, 'credentials' | 'credentialTypes'>,
	changes?: ICredentialDataDecryptedObject,
): Promise<INodeListSearchResult>;
