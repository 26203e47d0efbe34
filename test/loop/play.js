'use strict';

require('../support/noWaiting');
const { ACCOUNT, MemoryService } = require('../support/memoryService');
const groups = require('../support/modelGroupsPlay');
const { later, meanwhile } = require('../support/secondWriter');

const { ID, email, locator, play, rows } = groups;

/** Options of runs in which something is repeated or looked for. */
const wait = { maxWait: 60, verifyTime: 20 };

const inGroup = (word) => ({ chooseGroupBy: 'group', group: locator('id', ID[word]) });

/** The service, some of whose answers leave something out. */
function strip(service, isIt, change) {
	const send = service.exchange.bind(service);
	service.exchange = async (request) => {
		const answer = await send(request);
		if (!isIt(request) || answer.status !== 200) return answer;
		const body = JSON.parse(answer.text);
		change(body);
		return { ...answer, text: JSON.stringify(body) };
	};
}

/** A reconcile in which only Ben keeps VPN: everybody else loses it, and is deactivated. @returns what is said of those who are */
async function onlyBenStays(service, limits = {}) {
	const items = await play(service, 'reconcile', {
		preview: false,
		wantedFrom: 'json',
		unwanted: 'revoke',
		scopeGroups: rows('VPN'),
		wantedJson: [{ email: email('ben'), group: 'VPN' }],
		options: {
			deactivatesEmpty: true,
			...{ ...wait, maxPercentAffected: 100, ...limits },
		},
	});
	return items.filter(({ change }) => change === 'deactivated').map(({ status }) => status);
}

module.exports = {
	...groups,
	...{ ACCOUNT, MemoryService, inGroup, later, meanwhile, onlyBenStays, strip, wait },
};
