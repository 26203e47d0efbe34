'use strict';

const { json, plain } = require('../answer');
const { ExactNumber, parseExact, stringifyExact } = require('../exactJson');
const { invalid, notFound, requestId } = require('./messages');
const { validateConfiguration } = require('./validate');

const LISTS = ['analyzers', 'monitors'];
const FLAG = 'allowPartialTargetBatches';

/**
 * Monitor configurations (test/contract/interface.md 1.6, 2.5). Each method takes a request and gives an
 * Answer, or throws a Refusal. Documents are Maps (see exactJson.js) from arrival to answer, so that
 * every literal a client wrote comes back as it was.
 * @param {object} service
 */
function monitorConfig({ state, options }) {
	const { alerting } = state;
	const exact = (text) => plain(200, text, { type: 'application/json' });

	function modelOf({ params: { org, model } }) {
		const found = alerting.models.get(org).get(model);
		if (!found) throw notFound(`Model ${model}`);
		return found;
	}

	/** test/contract/interface.md 2.5: a model never configured has a default document. */
	function textOf(req, stored) {
		const { org, model } = req.params;
		const { granularity = 'daily' } = modelOf(req);
		const first = { orgId: org, datasetId: model, granularity, analyzers: [], monitors: [] };
		return stored ?? stringifyExact(first);
	}

	const current = (req) =>
		parseExact(textOf(req, alerting.configurationText(req.params.org, req.params.model)));

	function sent(req) {
		const body = parseExact(req.text);
		if (!(body instanceof Map)) throw invalid('The request body is not an object');
		return body;
	}

	function check(org, document) {
		if (options.keepsText) return;
		const { defaultEmail } = state.organization(org);
		validateConfiguration(
			document,
			(target) =>
				alerting.action(org, target) !== undefined || (target === 'email' && Boolean(defaultEmail)),
		);
	}

	/** test/contract/interface.md 2.5: the service owns `metadata`; `version` goes up by one per write. */
	function stamp(item, before, author) {
		const version = Number(before?.get('metadata')?.get('version') ?? 0) + 1;
		item.set(
			'metadata',
			new Map([
				['schemaVersion', new ExactNumber('1')],
				['author', author],
				['updatedTimestamp', new ExactNumber(String(alerting.now()))],
				['version', new ExactNumber(String(version))],
			]),
		);
	}

	function stampItems(document, before, written, author) {
		for (const name of LISTS) {
			const earlier = byId(before.get(name));
			for (const item of document.get(name)) {
				if (written(name, item.get('id'))) stamp(item, earlier.get(item.get('id')), author);
			}
		}
	}

	/**
	 * @param {object} req
	 * @param {Map<string, unknown>} document checked
	 * @param {(list: string, id: string) => boolean} written which items this write carries
	 * @param {string} [text] what is kept instead of the document
	 */
	function commit(req, document, written, text) {
		const { org, model } = req.params;
		// test/contract/interface.md 2.5: a write that arrived before another one was done is dropped, with 200.
		if (alerting.committedAt(org, model) > req.tick) return requestId();
		const before = current(req);
		// What comes before the dot names the key; the secret part is never stored.
		const [author] = req.key.split('.');
		if (!options.keepsText) {
			stampItems(document, before, written, author);
			stamp(document, before, author);
		}
		alerting.write(org, model, text ?? document);
		return requestId();
	}

	/** The document with the lists that `listOf` gives and the flag of the body; other keys are ignored (test/contract/interface.md 2.5). */
	function changed(req, listOf) {
		const body = sent(req);
		const document = current(req);
		if (body.has(FLAG)) document.set(FLAG, body.get(FLAG));
		else document.delete(FLAG);
		for (const name of LISTS) document.set(name, listOf(name, document.get(name), body.get(name)));
		check(req.params.org, document);
		return document;
	}

	/** What a PUT makes of the body: its lists take the place of those that are there, missing ones are empty. */
	function replacement(req) {
		return changed(req, (name, before, list = []) => list);
	}

	function indexOf(req, document) {
		return document.get('monitors').findIndex((monitor) => monitor.get('id') === req.params.id);
	}

	return {
		get: (req) => exact(textOf(req, alerting.shownText(req.params.org, req.params.model))),

		put: (req) =>
			commit(req, replacement(req), () => true, options.keepsText ? req.text : undefined),

		/** test/contract/interface.md 2.5: merges by id; without allowPartialTargetBatches that flag is deleted. */
		patch(req) {
			const touched = new Map();
			const document = changed(req, (name, before, list = []) => {
				const after = merged(before, list, name, options.keepsText);
				touched.set(name, byId(list));
				return after;
			});
			return commit(req, document, (list, id) => touched.get(list).has(id));
		},

		putMonitor(req) {
			const monitor = sent(req);
			const { id } = req.params;
			if (!monitor.has('id')) monitor.set('id', id);
			if (monitor.get('id') !== id) throw invalid('The id differs from that of the path', 'id');
			const document = current(req);
			document.set('monitors', merged(document.get('monitors'), [monitor], 'monitors'));
			check(req.params.org, document);
			return commit(req, document, (list, written) => list === 'monitors' && written === id);
		},

		deleteMonitor(req) {
			const document = current(req);
			const i = indexOf(req, document);
			if (i === -1) throw notFound(`Monitor ${req.params.id}`);
			document.get('monitors').splice(i, 1);
			return commit(req, document, () => false);
		},

		models(req) {
			const { org } = req.params;
			const items = [...alerting.models.get(org).values()].map(({ id, name, granularity }) => ({
				id,
				name,
				orgId: org,
				timePeriod: granularity,
				modelType: 'CLASSIFICATION',
				active: true,
			}));
			return json(200, { items });
		},
	};
}

function byId(items) {
	return new Map(items.map((item) => [item.get('id'), item]));
}

/** The listed items come at the end; those with the same id are gone, or in their place where that is kept. */
function merged(items, changes, name, keepsPlace = false) {
	if (!Array.isArray(changes) || !changes.every((one) => one instanceof Map)) {
		throw invalid(`${name} is not a list of objects`, name);
	}
	const listed = byId(changes);
	const rest = keepsPlace
		? items.map((item) => take(listed, item.get('id')) ?? item)
		: items.filter((item) => !listed.has(item.get('id')));
	return [...rest, ...listed.values()];
}

function take(map, key) {
	const value = map.get(key);
	map.delete(key);
	return value;
}

module.exports = { monitorConfig };
