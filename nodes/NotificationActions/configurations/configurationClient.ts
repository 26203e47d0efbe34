import { attempt, isObject, type Timing, shown } from '../../shared/util';
import type { PlannedRequest } from '../../shared/run';
import { hasStatus, RequestError, type Send, type WaitBudget } from '../../shared/http';
import { readConfiguration, type Configuration, type JsonObject } from './configuration';

export interface Model {
	id: string;
	name: string;
}

/** `PATCH` merges monitors by id into the document, `PUT` replaces the whole document. */
export type WriteMethod = 'PATCH' | 'PUT';

/**
 * The requests on models and monitor configurations of one organization (test/contract/interface.md 2.5). Every method rejects
 * with a RequestError when the service does not answer with 2xx.
 */
export interface ConfigurationClient {
	readonly organizationId: string;
	readonly timing: Timing;
	readonly budget: WaitBudget;
	listModels(): Promise<Model[]>;
	readConfiguration(modelId: string): Promise<Configuration>;
	/** Sends it once: before it is sent again, the configuration has to be read and planned again. */
	writeConfiguration(method: WriteMethod, modelId: string, body: JsonObject): Promise<void>;
}

/** Makes the client of the configurations of models. @param send the only way out; its errors pass through */
export function createConfigurationClient(
	send: Send,
	organizationId: string,
	timing: Timing,
	budget: WaitBudget,
): ConfigurationClient {
	return {
		organizationId,
		timing,
		budget,

		async listModels() {
			const purpose = 'list the models';
			const path = ['v0', 'organizations', organizationId, 'models'];
			const tried = await attempt(
				async () => await send({ method: 'GET', path, repeat: 'always', purpose }),
			);
			if (!tried.ok) {
				throw isMissingRoute(tried.error) ? noModelList(tried.error) : tried.error;
			}
			const { body, status } = tried.value;
			const items = isObject(body) ? body.items : body;
			if (!Array.isArray(items)) throw unexpectedAnswer(purpose, 'items', status);
			return items.flatMap(readModel);
		},

		async readConfiguration(modelId) {
			const { text } = await send({
				...configurationRequest(organizationId, modelId, 'GET'),
				repeat: 'always',
				purpose: `read the monitor configuration of model ${shown(modelId)}`,
			});
			return readConfiguration(text, { model: modelId, organization: organizationId });
		},

		async writeConfiguration(method, modelId, body) {
			const what = method === 'PATCH' ? 'monitors' : 'the monitor configuration';
			await send({
				...configurationRequest(organizationId, modelId, method),
				body,
				repeat: 'never',
				purpose: `save ${what} of model ${shown(modelId)}`,
			});
		},
	};
}

/** Makes a request on the configuration of a model, as it is previewed and sent. */
export function configurationRequest(
	organizationId: string,
	modelId: string,
	method: 'GET' | WriteMethod,
): PlannedRequest {
	const path = ['v0', 'organizations', organizationId, 'models', modelId, 'monitor-config', 'v3'];
	return { method, path };
}

/** Tells whether an answer may mean that the service does not have a route beside the documented ones. */
export function isMissingRoute(error: unknown): boolean {
	return hasStatus(error, 404, 405, 501);
}

/** Makes the error of a 2xx answer that lacks something. @param what what a 2xx answer lacks */
export function unexpectedAnswer(purpose: string, what: string, status: number): RequestError {
	return new RequestError(
		`Could not ${purpose}: the service answered ${status} without ${what}`,
		'Check the Base URL in the credential.',
		{ kind: 'unreadable', method: 'GET', status, mayHaveWorked: false },
	);
}

function readModel(value: unknown): Model[] {
	if (!isObject(value) || typeof value.id !== 'string' || value.id === '') return [];
	return [{ id: value.id, name: typeof value.name === 'string' ? value.name : value.id }];
}

function noModelList(cause: unknown): RequestError {
	const status = cause instanceof RequestError ? cause.status : undefined;
	return new RequestError(
		'This service does not list its models',
		'Enter the IDs of the models instead.',
		{ kind: 'http', method: 'GET', mayHaveWorked: false, ...(status !== undefined && { status }) },
	);
}
