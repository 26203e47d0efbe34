'use strict';

require('../support/noWaiting');
const { run } = require('../support/node');
const { plainRequire } = require('./support/plainRequire');

// Service: Check, against SCIM servers that others have written.

const SERVERS = {
	account: () => plainRequire('../account').start(),
	scimmy: () => plainRequire('../scimmy').start(),
	'better-auth': () => plainRequire('../betterAuth').start(),
	jackson: () => plainRequire('../jackson').start(),
};

/** Users and groups as they are stored, whatever their order. */
const inOrder = ({ users, groups }) => ({
	users: [...users].sort((a, b) => (a.id < b.id ? -1 : 1)),
	groups: [...groups].sort((a, b) => (a.id < b.id ? -1 : 1)),
});

test.each(Object.entries(SERVERS))(
	'%s is in the end as it was, and its traits are seen',
	async (name, start) => {
		const server = await start();
		try {
			const before = inOrder(await server.state());
			const { json, error } = await run(
				'service',
				'check',
				{ allowTestObjects: true, options: { verifyTime: 1 } },
				{ credential: server.credential },
			);
			expect(error).toBeUndefined();
			expect(inOrder(await server.state())).toEqual(before);
			const left = json[0].warnings.filter((warning) => warning.startsWith('Left'));
			expect(left).toStrictEqual([]);
			const seen = json[0].traits.filter(({ evidence }) => evidence === 'seen');
			expect(seen.map(({ trait }) => trait)).toEqual(
				expect.arrayContaining(['User Names Are Converted', 'Deletion Cannot Be Undone']),
			);
		} finally {
			await server.close();
		}
	},
	60_000,
);
