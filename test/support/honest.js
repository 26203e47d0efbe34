'use strict';

// Services of which nothing is wrong, for the rows of what caution must not hinder.

const { Groups, email, emails, rows, wanted } = require('./behavior');

/** Requests by filter say by what, and groups go by their IDs even where users have the same ones. */
class Honest extends Groups {
	lineOf(request) {
		const { method, path, query = {}, status } = request;
		const [, id] = /\/Groups\/([^/]*)$/.exec(path) ?? [];
		if (id !== undefined) return `${method} ${id}${status >= 400 ? ` ${status}` : ''}`;
		const by = [...(query.filter ?? '').matchAll(/([\w.]+) eq/g)].map(([, name]) => name);
		const line = super.lineOf(request);
		return by.length > 0 ? line.replace(/^GET \w+/, `$& by ${by.join(' and ')}`) : line;
	}
}

/**
 * @param more besides what Groups takes: `ghosts`, members by group who are no users; `shows`, each resource as it is
 *   shown; `answers`, each body by its request
 */
const on =
	(people, { ghosts = {}, shows = (one) => one, answers = (body) => body, ...more } = {}) =>
	() => {
		const world = new Honest(people, more);
		const { service } = world;
		for (const [group, ids] of Object.entries(ghosts)) service.groups.get(group).push(...ids);
		const exchange = service.exchange.bind(service);
		service.exchange = async (request) => {
			const answer = await exchange(request);
			if (!answer.text) return answer;
			const body = JSON.parse(answer.text);
			const shown = body.Resources
				? { ...body, Resources: body.Resources.map(shows) }
				: shows(body);
			return { ...answer, text: JSON.stringify(answers(shown, request)) };
		};
		return world;
	};
const each = (names, has) => Object.fromEntries(names.map((name) => [name, has]));
const range = (count) => Array.from({ length: count }, (_, at) => `p${at + 1}`);

const WIDE = { maxPeopleAffected: 1000, maxShareAffected: 100 };
const setting = (given) => ({ credential: { overrideProfile: true, ...given } });

// Wishes
const leaves = (who, more) => () => ({ people: emails(who), ...more });
const takes = (who, groups) => (w) => ({ people: emails(who), ...w.groups(groups) });
const members = (group, who, options) => (w) => ({
	group: w.group(group),
	people: emails(who),
	options,
});
const reconciled = (group, names) => ({
	...{ scopeGroups: rows(group), preview: false },
	...wanted(names.map((name) => ({ email: email(name), group }))),
	options: WIDE,
});

/** One line at least is like this. */
const asks = (line) => expect.arrayContaining([expect.stringMatching(line)]);

/** Who has left, as it was proven. */
const PROVEN = [{ status: 'done', active: false, provenAt: expect.any(String) }];

module.exports = {
	PROVEN,
	WIDE,
	asks,
	each,
	leaves,
	members,
	on,
	range,
	reconciled,
	setting,
	takes,
};
