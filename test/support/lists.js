'use strict';

// The lists of the editor, without engine and sockets.

const { KEY, ORGANIZATION } = require('./alertingInMemory');
const { NotificationActions, ScimProvisioning } = require('./built');
const { TOKEN, contextOf, sendTo } = require('./modelNode');

/**
 * Opens a list of SCIM Provisioning, or goes on in one.
 * @param {{ service: { exchange: Function }, credential?: object }} world
 * @param {{ method?: string, filter?: string, token?: string, credential?: object }} how
 */
async function openList(
	{ service, credential },
	{ method = 'searchUsers', filter, token, ...how } = {},
) {
	const context = contextOf({
		items: [{}],
		parameters: { resource: 'user', operation: 'get' },
		credential: {
			...{ baseUrl: 'http://scim.test', accountApiToken: TOKEN, serviceProfile: 'generic' },
			...{ ...credential, ...how.credential },
		},
		send: sendTo(service),
	});
	return await new ScimProvisioning().methods.listSearch[method].call(context, filter, token);
}

/** Scrolls to the end, as a user would. @returns the IDs on each page */
async function scrollList(world, how = {}) {
	const [pages, tokens] = [[], []];
	do {
		const page = await openList(world, { ...how, token: tokens.at(-1) });
		pages.push(page.results.map(({ value }) => value));
		if (page.paginationToken !== undefined) expect(tokens).not.toContain(page.paginationToken);
		tokens.push(page.paginationToken);
	} while (tokens.at(-1) !== undefined);
	return pages;
}

/** The same of Notification Actions. @param {import('./alertBehavior').Alerting} world */
async function openAlertList(world, { method, filter, parameters, credential } = {}) {
	const context = contextOf({
		items: [{}],
		parameters: { resource: 'monitor', operation: 'attach', ...parameters },
		credential: {
			...{ baseUrl: 'http://scim.test', apiKey: KEY, organizationId: ORGANIZATION },
			...credential,
		},
		send: async (request) => await world.exchange(request),
	});
	return await new NotificationActions().methods.listSearch[method].call(context, filter);
}

module.exports = { openAlertList, openList, scrollList };
