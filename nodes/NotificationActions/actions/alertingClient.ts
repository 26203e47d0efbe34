import { attempt, isObject, type Patience } from '../../shared/util';
import { hasStatus, RequestError, type Send } from '../../shared/http';
import { readAction, secretsOf, type Action } from './action';
import { type Configuration, readConfiguration } from '../configurations';

export interface Model {
	id: string;
	name: string;
}

/**
 * The requests on notification actions and monitor configurations of one organization (docs/interface.md 1.6, 2.4,
 * 2.5), one method each. Every method rejects with a RequestError when the service does not answer with 2xx. Writes are
 * answered with nothing that shows what is stored: whoever writes reads back.
 */
export interface AlertingClient {
	readonly organizationId: string;
	readonly patience: Patience;
	listActions(): Promise<Action[]>;
	/** Creates or changes; harmless to repeat. */
	putAction(id: string, segment: string, payload: Record<string, unknown>): Promise<void>;
	deleteAction(id: string): Promise<void>;
	setActionEnabled(id: string, enabled: boolean): Promise<void>;
	/** Delivers a real message, so it is sent once. */
	sendTest(id: string): Promise<void>;
	listModels(): Promise<Model[]>;
	readConfiguration(modelId: string): Promise<Configuration>;
	/** Puts the text in the place of the whole document. Not repeated: it has to be read and planned again first. */
	putConfiguration(modelId: string, text: string): Promise<void>;
	/** Merges monitors by id into the document. Not repeated either. */
	mergeConfiguration(modelId: string, text: string): Promise<void>;
}

/** @param send the only way out; its errors pass through */
export function createAlertingClient(
	send: Send,
	organizationId: string,
	patience: Patience,
): AlertingClient {
	const actions = actionsPath(organizationId);
	const models = ['v0', 'organizations', organizationId, 'models'];

	return {
		organizationId,
		patience,

		async listActions() {
			const purpose = 'list the actions';
			const path = actions;
			const { body, status } = await send({ method: 'GET', path, repeat: 'always', purpose });
			if (!Array.isArray(body)) throw unexpected(purpose, 'a list', status);
			return body.flatMap((entry) => readAction(entry) ?? []);
		},

		async putAction(id, segment, payload) {
			await send({
				method: 'PUT',
				path: [...actions, segment, id],
				body: payload,
				repeat: 'always',
				secrets: secretsOf(payload),
				purpose: `save action ${id}`,
			});
		},

		async deleteAction(id) {
			const purpose = `delete action ${id}`;
			await send({ method: 'DELETE', path: [...actions, id], repeat: 'always', purpose });
		},

		async setActionEnabled(id, enabled) {
			const verb = enabled ? 'enable' : 'disable';
			await send({
				method: 'PUT',
				path: [...actions, id, verb],
				repeat: 'always',
				purpose: `${verb} action ${id}`,
			});
		},

		async sendTest(id) {
			await send({
				method: 'POST',
				path: [...actions, id, 'test'],
				repeat: 'never',
				purpose: `send a test to action ${id}`,
			});
		},

		async listModels() {
			const purpose = 'list the models';
			const tried = await attempt(
				async () => await send({ method: 'GET', path: models, repeat: 'always', purpose }),
			);
			if (!tried.ok) {
				throw isMissingRoute(tried.error) ? noModelList(tried.error) : tried.error;
			}
			const { body, status } = tried.value;
			const items = isObject(body) ? body.items : body;
			if (!Array.isArray(items)) throw unexpected(purpose, 'items', status);
			return items.flatMap(readModel);
		},

		async readConfiguration(modelId) {
			const { text } = await send({
				method: 'GET',
				path: configurationPath(organizationId, modelId),
				repeat: 'always',
				purpose: `read the monitor configuration of model ${modelId}`,
			});
			return readConfiguration(text);
		},

		async putConfiguration(modelId, text) {
			await send({
				method: 'PUT',
				path: configurationPath(organizationId, modelId),
				body: text,
				repeat: 'never',
				purpose: `save the monitor configuration of model ${modelId}`,
			});
		},

		async mergeConfiguration(modelId, text) {
			await send({
				method: 'PATCH',
				path: configurationPath(organizationId, modelId),
				body: text,
				repeat: 'never',
				purpose: `save monitors of model ${modelId}`,
			});
		},
	};
}

export function actionsPath(organizationId: string): string[] {
	return ['v0', 'notification-settings', organizationId, 'actions'];
}

export function configurationPath(organizationId: string, modelId: string): string[] {
	return ['v0', 'organizations', organizationId, 'models', modelId, 'monitor-config', 'v3'];
}

/** Whether an answer may mean that the service does not have a route beside the documented ones. */
export function isMissingRoute(error: unknown): boolean {
	return hasStatus(error, 404, 405, 501);
}

function readModel(value: unknown): Model[] {
	if (!isObject(value) || typeof value.id !== 'string' || value.id === '') return [];
	return [{ id: value.id, name: typeof value.name === 'string' ? value.name : value.id }];
}

function noModelList(cause: unknown): RequestError {
	const status = cause instanceof RequestError ? cause.status : undefined;
	return new RequestError(
		'This service does not list its models',
		'Give the IDs of the models instead.',
		{ kind: 'http', method: 'GET', mayHaveWorked: false, ...(status !== undefined && { status }) },
	);
}

function unexpected(purpose: string, what: string, status: number): RequestError {
	return new RequestError(
		`Could not ${purpose}: the service answered ${status} without ${what}`,
		'Check the Base URL in the credential.',
		{ kind: 'unreadable', method: 'GET', status, mayHaveWorked: false },
	);
}
