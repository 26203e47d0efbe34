'use strict';

require('../support/noWaiting');

/** The local service against the recording of the real one: the same answers, and the same people afterwards. */

const { startService } = require('../../demo/service');
const { userIdOf } = require('../../demo/service/scim/directory');
const recording = require('./account-scim.json');
const { canonical, isPaged } = require('./compare');

const { usersOfOtherAccounts, token, ...account } = recording.seed;

test.each(recording.cases.map((one) => [one.name, one]))('%s', async (_, { steps, after }) => {
	const seed = { ...account, foreignUsers: usersOfOtherAccounts };
	const service = await startService({ seed, accountToken: token });
	try {
		for (const step of steps) {
			const { request, answer } = filledIn(step, service.url);
			const seen = await send(service.url, request);
			const comparable = (one) => JSON.parse(canonical(one, isPaged(request)));
			expect(comparable(seen)).toEqual(comparable(answer));
			expect(seen.json?.detail ?? '').toContain(namedIn(answer.json?.detail));
		}
		expect(peopleOf(service)).toEqual(after);
	} finally {
		await service.close();
	}
});

function filledIn(step, base) {
	const text = JSON.stringify(step)
		.replace(/\{\{([^{}]+):upper\}\}/g, (_, email) => userIdOf(email).toUpperCase())
		.replace(/\{\{([^{}]+)\}\}/g, (_, email) => userIdOf(email))
		.replaceAll('BASE', base);
	return JSON.parse(text);
}

async function send(base, { method, path, body, raw, headers, token: given = token }) {
	const answer = await fetch(base + path, {
		method,
		headers: {
			'content-type': 'application/scim+json',
			...(given === null ? {} : { authorization: `Bearer ${given}` }),
			...headers,
		},
		body: raw ?? (body && JSON.stringify(body)),
	});
	const contentType = answer.headers.get('content-type') ?? '';
	const text = await answer.text();
	const location = answer.headers.get('location') ?? undefined;
	const json = contentType.includes('json') ? JSON.parse(text) : undefined;
	return { status: answer.status, contentType, location, text, json };
}

const namedIn = (detail) => /^\(text that names (.*)\)$/.exec(detail)?.[1] ?? '';

function peopleOf({ state: { directory } }) {
	const people = [...directory.users.values()].map(({ id, email, active }) => [
		email,
		{ active, roles: Object.fromEntries(directory.rolesOf(id)) },
	]);
	return Object.fromEntries(people);
}
