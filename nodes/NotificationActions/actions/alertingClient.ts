import type { PlannedRequest } from '../../shared/run';
import type { Timing } from '../../shared/util';
import { type Send, SIDE_BY_SIDE, type WaitBudget } from '../../shared/http';
import {
	type ConfigurationClient,
	createConfigurationClient,
	unexpectedAnswer,
} from '../configurations';
import { type Action, maskPayload, type Payload, readAction, secretsOf } from './action';

/** One write of an action. */
export type ActionWrite =
	| {
			/** Creates or changes. */
			kind: 'put';
			id: string;
			/** The kind as the service names it. */
			type: string;
			payload: Payload;
			/** Whether the list did not have it before. */
			isNew: boolean;
	  }
	| { kind: 'delete' | 'disable' | 'enable' | 'test'; id: string };

/**
 * The requests on notification actions of one organization (test/contract/interface.md 1.6, 2.4), beside those on monitor
 * configurations. Every method rejects with a RequestError when the service does not answer with 2xx. Writes are
 * answered with nothing that shows what is stored: a write has to be read back.
 */
export interface AlertingClient extends ConfigurationClient {
	/** Requests that leave side by side. */
	readonly concurrency: number;
	listActions(): Promise<Action[]>;
	writeAction(write: ActionWrite): Promise<void>;
}

/** Makes the client of the alerting service. @param send the only way out; its errors pass through */
export function createAlertingClient(
	send: Send,
	organizationId: string,
	timing: Timing,
	budget: WaitBudget,
): AlertingClient {
	return {
		...createConfigurationClient(send, organizationId, timing, budget),
		concurrency: SIDE_BY_SIDE,

		async listActions() {
			const purpose = 'list the actions';
			const path = actionsPath(organizationId);
			const { body, status } = await send({ method: 'GET', path, repeat: 'always', purpose });
			if (!Array.isArray(body)) throw unexpectedAnswer(purpose, 'a list', status);
			return body.flatMap((entry) => readAction(entry) ?? []);
		},

		async writeAction(write) {
			await send(requestOf(organizationId, write));
		},
	};
}

/** Makes the request of a write, as it is previewed and sent. `shown` is its body without secrets. */
export function requestOf(
	organizationId: string,
	write: ActionWrite,
): Parameters<Send>[0] & PlannedRequest {
	const path = actionsPath(organizationId);
	const { kind, id } = write;
	const purpose = wordsFor(write);
	switch (kind) {
		case 'put': {
			const { type, payload } = write;
			return {
				method: 'PUT',
				path: [...path, type, id],
				body: payload,
				shown: maskPayload(payload),
				secrets: secretsOf(payload),
				repeat: 'always',
				purpose,
			};
		}
		case 'delete':
			return { method: 'DELETE', path: [...path, id], repeat: 'always', purpose };
		case 'disable':
		case 'enable':
			return { method: 'PUT', path: [...path, id, kind], repeat: 'always', purpose };
		case 'test':
			// Delivers a real message, so it is sent once.
			return { method: 'POST', path: [...path, id, 'test'], repeat: 'never', purpose };
	}
}

/** Describes a write in words that finish the sentence "could not …". */
export function wordsFor(write: ActionWrite): string {
	switch (write.kind) {
		case 'put':
			return `${write.isNew ? 'create' : 'update'} action ${write.id}`;
		case 'test':
			return `send a test to action ${write.id}`;
		default:
			return `${write.kind} action ${write.id}`;
	}
}

function actionsPath(organizationId: string): string[] {
	return ['v0', 'notification-settings', organizationId, 'actions'];
}
