import type {
	ExecutionStatus,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeListSearchResult,
	ResourceMapperFields,
	INodeParameters,
	INodeType,
	IVersionedNodeType,
	NodeExecutionHint,
	OnError,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** What a node or the engine failed with: a NodeApiError, a NodeOperationError or a plain Error. */
export interface NodeFailure extends Error {
	description?: string | null;
	httpCode?: string | null;
	context?: IDataObject;
	messages?: string[];
	level?: string;
	node?: INode;
	timestamp?: number;
}

export interface NodeSetup {
	/** As saved in a workflow: defaults may be left out, values may be expressions (`={{ }}`). */
	parameters?: INodeParameters;
	/** What a user entered, by credential type name. Defaults of the type are filled in. */
	credentials?: Record<string, ICredentialDataDecryptedObject>;
	/** Instances of every credential type that `credentials` names. */
	credentialTypes?: ICredentialType[];
	/** Further fields of the node: `retryOnFail`, `maxTries`, `executeOnce`, `typeVersion`... */
	node?: Partial<Omit<INode, 'name'>>;
}

export interface RunNodeOptions extends NodeSetup {
	/** JSON objects, or whole items (recognised by a `json` object). Default: one empty item. */
	items?: IDataObject[] | INodeExecutionData[];
	/** The node's setting "On Error". Default: `stopWorkflow`. */
	onError?: OnError;
	/** Cancels the execution so long after the node under test has started. */
	cancelAfterMs?: number;
	/** Cancels the execution when it aborts: from a nock reply, for one. */
	cancelSignal?: AbortSignal;
	/** The workflow's timezone, for `$now` and `getTimezone()`. */
	timezone?: string;
	/** Default: `trigger`, an activated workflow. */
	mode?: WorkflowExecuteMode;
}

export interface RunNodeResult {
	/** First output, after everything that n8n-core does to it. */
	output: INodeExecutionData[];
	/** Second output, used with `continueErrorOutput`. */
	errorOutput: INodeExecutionData[];
	/** The `json` of each item of `output`, and of `errorOutput`. */
	json: IDataObject[];
	errorJson: IDataObject[];
	/** What the node itself gave, in order; n8n may keep only the message of items with an error. */
	returned: IDataObject[];
	/** For each item of `output`, and of `errorOutput`, the input items it is paired with. */
	pairedItems: number[][];
	errorPairedItems: number[][];
	/** The very object that `execute` threw on its last try, whatever `onError` says. */
	error?: NodeFailure;
	/** The copy of it that n8n stores and shows: own properties, message and stack, no class. */
	storedError?: NodeFailure;
	/** `success`, `error` or `canceled`; `success` too where the node failed and `onError` went on. */
	status: ExecutionStatus;
	/** Why the workflow as a whole ended, cancellation included. */
	workflowError?: NodeFailure;
	/** False where n8n never started the node, as with no items at all. */
	executed: boolean;
	/** The node's input items as they are after the run: they must not have changed. */
	input: INodeExecutionData[];
	hints: NodeExecutionHint[];
}

/**
 * Runs a start node that emits `items` and the node under test behind it.
 * Rejects only where n8n would not start the workflow, or the test itself is wrong.
 */
export function runNode(
	nodeType: INodeType | IVersionedNodeType,
	options?: RunNodeOptions,
): Promise<RunNodeResult>;

export interface RunToolOptions extends NodeSetup {
	/** What the user called the node. */
	name?: string;
	/** What the model fills in, one entry per call. */
	calls?: IDataObject[];
}

export interface RunToolResult {
	/** The definition that the model gets. */
	name: string;
	description: string;
	arguments: Record<string, { description: string; type: string }>;
	/** What the model gets back for each call, or the error that it failed with. */
	answers: Array<unknown>;
}

/** Gives an AI agent the node as its tool, and calls it. */
export function runTool(nodeType: INodeType, options: RunToolOptions): Promise<RunToolResult>;

export interface ListSearchOptions extends NodeSetup {
	/** What the user typed into the list. */
	filter?: string;
	paginationToken?: string;
	/** Path of the parameter that shows the list; only `getCurrentNodeParameter('&...')` needs it. */
	path?: string;
}

/** Calls a `methods.listSearch` function as the editor does. Expressions stay unresolved there. */
export function listSearch(
	nodeType: INodeType | IVersionedNodeType,
	methodName: string,
	options?: ListSearchOptions,
): Promise<INodeListSearchResult>;

/** Calls a `methods.resourceMapping` function as the editor does. */
export function resourceMapping(
	nodeType: INodeType | IVersionedNodeType,
	methodName: string,
	options?: NodeSetup,
): Promise<ResourceMapperFields>;

export interface PollNodeOptions extends NodeSetup {
	/** What n8n kept for the node; the look changes it. */
	staticData?: IDataObject;
	/** `manual` for a test in the editor. */
	mode?: WorkflowExecuteMode;
	/** How the workflow became active; `init` when n8n was started. */
	activation?: WorkflowActivateMode;
	/** Gets an error that is recorded instead of thrown. */
	recordError?(error: Error): void;
}

/** One look of a polling trigger. Undefined when the workflow does not start. */
export function pollNode(
	nodeType: INodeType,
	options?: PollNodeOptions,
): Promise<IDataObject[] | undefined>;

/**
 * Sends the declarative `test` request of a credential and judges the answer as n8n does; or has the node test it that names
 * a method for it.
 */
export function testCredential(
	credentialType: ICredentialType,
	data?: ICredentialDataDecryptedObject,
	nodeType?: INodeType,
): Promise<INodeCredentialTestResult>;

/**
 * Refuses connections that leave this machine, with code `EBLOCKED`.
 * Importing the harness does it; nock still answers for hosts that a test mocks.
 */
export function blockNetwork(): void;
