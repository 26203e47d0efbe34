import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../shared/run';
import { runRead } from '../../context';

/** Reads what the service says of itself (RFC 7644 section 4) and tries harmless reads; writes nothing. */
export const getCapabilities: Operation = {
	name: 'Get Capabilities',
	action: 'Get capabilities of service',
	description:
		'Find out what the service supports and which credential settings fit. Nothing is changed.',
	fields: [],

	execute: async (context) =>
		await runRead(context, {
			prepare: async (_items, { probe }) => await probe(),
			async read(_item, { baseUrl, requestsSent }, capabilities) {
				return [{ baseUrl, ...(capabilities as unknown as IDataObject), requests: requestsSent() }];
			},
		}),
};
