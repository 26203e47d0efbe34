import type {
	ICredentialDataDecryptedObject,
	INodeListSearchResult,
	INodeParameterResourceLocator,
	INodeParameters,
} from 'n8n-workflow';

import type { ListSearchOptions, RunNodeOptions, RunNodeResult } from '../harness';

/** The token of the test credential. */
export const TOKEN: string;

export type RunOptions = Omit<RunNodeOptions, 'parameters' | 'credentials' | 'credentialTypes'> & {
	/** What the credential says differently from `credential()`. */
	credential?: ICredentialDataDecryptedObject;
};

/** The credential of the tests: nock stands at this address. */
export function credential(
	changes?: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject;

/** Runs the built node in n8n-core. */
export function run(
	resource: 'user' | 'group',
	operation: string,
	parameters?: INodeParameters,
	more?: RunOptions,
): Promise<RunNodeResult>;

/** Calls a list search of the built node as the editor does. */
export function search(
	method: string,
	options?: Omit<ListSearchOptions, 'credentials' | 'credentialTypes'>,
	changes?: ICredentialDataDecryptedObject,
): Promise<INodeListSearchResult>;

export function byEmail(value: string): INodeParameterResourceLocator & INodeParameters;
export function byId(value: string): INodeParameterResourceLocator & INodeParameters;

/** Attributes as a workflow has them that was not made in the editor, by path. */
export function mapped(value: INodeParameters): INodeParameters;
