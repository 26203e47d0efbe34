import type { IDataObject } from 'n8n-workflow';

import { type Operation, optionsField, requestsOption, showFor } from '../../../shared/run';
import { runRead } from '../../read';

/** Reads what the service says of itself (RFC 7644 section 4) and tries harmless reads; writes nothing. */
export const getCapabilities: Operation = {
	fields: showFor('service', 'getCapabilities', [optionsField([requestsOption()])]),

	execute: async (context) =>
		await runRead(context, {
			prepare: async (_items, { probe }) => await probe(),
			async read(_item, { baseUrl, requestsSent }, capabilities) {
				return [{ baseUrl, ...(capabilities as unknown as IDataObject), requests: requestsSent() }];
			},
		}),
};
