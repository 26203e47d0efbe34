'use strict';

const { TOKEN, run } = require('./node');
const { startServer } = require('./scimServer');

/** What the credential says for each profile beside the address. */
const CREDENTIALS = {
	generic: { serviceProfile: 'generic', overrideProfile: true, deletionIsFinal: 'no' },
	accountOrganizations: { serviceProfile: 'accountOrganizations', scimPrefix: 'nowhere' },
};

/** Nobody waits for a service that says nothing. */
const QUICK = { maxWait: 120, timeout: 5, verifyTime: 10 };

/**
 * Runs the node against a server with these switches, over real sockets.
 * @param work gets the server and `scim(resource, operation, parameters, { profile, options, credential, ...harness })`
 */
async function withServer(switches, work) {
	const server = await startServer({ token: TOKEN, ...switches });
	const scim = async (resource, operation, parameters = {}, more = {}) => {
		const { profile = 'generic', options = {}, credential, ...harness } = more;
		return await run(
			resource,
			operation,
			{ ...parameters, options: { ...QUICK, ...parameters.options, ...options } },
			{ credential: { baseUrl: server.url, ...CREDENTIALS[profile], ...credential }, ...harness },
		);
	};
	try {
		await work(server, scim);
	} finally {
		await server.close();
	}
}

/** A person of the server; `user-1` is `person1@example.com` unless said otherwise. */
const person = (number, attributes = {}) => ({
	id: `user-${number}`,
	userName: `person${number}@example.com`,
	...attributes,
});

const people = (count) => Array.from({ length: count }, (_, index) => person(index + 1));

const idsOf = (count) => people(count).map(({ id }) => id);

/** A group picked by its id. */
const inGroup = (id) => ({ chooseGroupBy: 'group', group: { __rl: true, mode: 'id', value: id } });

const PROFILES = Object.keys(CREDENTIALS);

module.exports = { PROFILES, idsOf, inGroup, people, person, withServer };
