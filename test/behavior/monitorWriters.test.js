'use strict';

require('../support/noWaiting');

// What happens to monitors when others write at the same time, and when answers get lost: what is said of it, and what
// is sent. Random runs of the same are in test/property/monitorWriters. Pauses between tries pass at once.
const mockPauses = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockPauses.push(ms);
	},
}));

const {
	ORG,
	alertingSeed,
	document,
	monitor,
	tally,
	targetsIn,
} = require('../support/configurations');
const { byId } = require('../support/node');
const { countsOf, meddle, requestsOf, withService, writeElsewhere } = require('../support/service');

const [DRIFT, VOLUME, SCHEMA] = ['drift', 'volume', 'schema'].map(
	(name) => `uplift-${name}-monitor`,
);
const SMALL = { model: byId('model-2'), monitors: 'all', action: byId('old-hook') };

const documentOf = (service, model = 'model-2') =>
	JSON.parse(service.state.configurationText(ORG, model));
const targetsOf = (service, model) => targetsIn(documentOf(service, model));
/** Writes, without those for which the service has no route. */
const writesOf = ({ log, options }) =>
	log.requests.filter(
		({ method }) => method === 'PUT' || (method === 'PATCH' && options.merges !== false),
	).length;
const OTHERS =
	'Someone else wrote this configuration at the same time: check whether that change is still there';

beforeEach(() => {
	mockPauses.length = 0;
});

describe('somebody else', () => {
	const tag = (one) => {
		one.tags = ['theirs'];
	};
	const remove = () => false;
	const add = (target) => (one) => {
		one.actions.push({ type: 'global', target });
	};
	const empty = (one) => {
		one.actions = [];
	};
	const OURS = ['email', 'old-hook'];
	const SAME = `Someone else wrote monitor ${DRIFT} at the same time: check it`;

	/** Who writes when, which monitor, how; then: our writes, the targets of our monitor, the warnings, whether theirs is there. */
	test.each([
		['writes another monitor', 'merge', 'between', VOLUME, tag, 1, OURS, [OTHERS], true],
		['writes another monitor', 'merge', 'during', VOLUME, tag, 2, OURS, undefined, true],
		['writes another monitor', 'whole', 'during', VOLUME, tag, 2, OURS, undefined, true],
		['writes another monitor', 'whole', 'between', VOLUME, tag, 1, OURS, [OTHERS], false],
		['writes our monitor', 'merge', 'between', DRIFT, tag, 1, OURS, [OTHERS, SAME], false],
		[
			'attaches another to ours',
			'merge',
			'during',
			DRIFT,
			add('oncall-pager'),
			2,
			['email', 'oncall-pager', 'old-hook'],
			undefined,
		],
		['attaches the same to ours', 'merge', 'during', DRIFT, add('old-hook'), 1, OURS, undefined],
		['takes ours away again', 'merge', 'after', DRIFT, empty, 2, ['old-hook'], [OTHERS, SAME]],
		['removes another monitor', 'merge', 'during', VOLUME, remove, 2, OURS, undefined],
		['removes another monitor', 'merge', 'between', VOLUME, remove, 1, OURS, [OTHERS]],
	])('%s (%s, %s)', async (...given) => {
		const [, form, when, id, edit, writes, targets, warnings, isThere] = given;
		await withService({ merges: form === 'merge' }, async (service, _scim, alert) => {
			meddle(service, when, () => writeElsewhere(service, 'model-2', id, edit));
			const one = { monitors: 'ids', monitorIds: DRIFT };
			const { json, error } = await alert('monitor', 'attach', { ...SMALL, ...one });
			expect(error).toBeUndefined();
			expect(tally(json).failed).toBe(0);
			expect(json[0].warnings).toEqual(warnings);
			expect(writesOf(service)).toBe(writes);
			expect(targetsOf(service)[DRIFT]).toEqual(targets);
			const theirs = documentOf(service).monitors.find((each) => each.id === id);
			expect(theirs !== undefined).toBe(edit !== remove);
			if (isThere !== undefined) expect(theirs.tags?.[0] === 'theirs').toBe(isThere);
		});
	});

	/** A run on all monitors; then what it says of each, and the monitors and their targets in the end. */
	describe.each([true, false])('beside a run on all monitors, merged: %s', (merges) => {
		const NEW = 'uplift-new-monitor';
		const allBeside = async (when, edit, check) =>
			await withService({ merges }, async (service, _scim, alert) => {
				meddle(service, when, () => {
					const now = documentOf(service);
					edit(now.monitors);
					service.state.storeConfiguration(ORG, 'model-2', now);
				});
				const onError = 'continueErrorOutput';
				const { json, errorJson } = await alert('monitor', 'attach', SMALL, { onError });
				await check({ json, errorJson, targets: targetsOf(service), service });
			});
		const addNew = (monitors) => monitors.push({ ...monitors[0], id: NEW, actions: [] });
		const removeDrift = (monitors) => monitors.splice(0, 1);
		const emptyDrift = (monitors) => {
			monitors[0].actions = [];
			monitors[0].tags = ['theirs'];
		};

		test('adds a monitor: it stays as it is, and is that of the next run', async () => {
			await allBeside('during', addNew, ({ json, errorJson, targets }) => {
				expect(errorJson).toStrictEqual([]);
				expect(json.map(({ id }) => id)).toEqual([DRIFT, VOLUME, SCHEMA]);
				expect(targets[NEW]).toStrictEqual([]);
				for (const id of [DRIFT, VOLUME, SCHEMA]) expect(targets[id]).toContain('old-hook');
			});
		});

		test('removes a monitor: it stays away, and fails alone', async () => {
			await allBeside('during', removeDrift, ({ json, errorJson, targets }) => {
				expect(json.map(({ id }) => id)).toEqual([VOLUME, SCHEMA]);
				expect(errorJson.map(({ error }) => error)).toEqual([
					expect.stringContaining(`monitor ${DRIFT} is no longer there`),
				]);
				expect(Object.keys(targets)).toEqual([VOLUME, SCHEMA]);
			});
		});

		test('edits a monitor before our write is read back: theirs stays, with ours in it', async () => {
			await allBeside('during', emptyDrift, ({ errorJson, targets, service }) => {
				expect(errorJson).toStrictEqual([]);
				expect(targets[DRIFT]).toEqual(['old-hook']);
				const [first] = documentOf(service).monitors;
				expect([first.id, first.tags]).toEqual([DRIFT, ['theirs']]);
			});
		});

		test('edits a monitor between our read and our write: ours wins', async () => {
			await allBeside('between', emptyDrift, ({ errorJson, targets }) => {
				expect(errorJson).toStrictEqual([]);
				expect(targets[DRIFT]).toEqual(['email', 'old-hook']);
			});
		});

		test('adds or removes one between our read and our write: theirs wins where the service merges', async () => {
			await allBeside('between', addNew, ({ targets }) => {
				expect(NEW in targets).toBe(merges);
			});
			await allBeside('between', removeDrift, ({ targets }) => {
				// A merge adds a monitor that it does not find.
				expect(DRIFT in targets).toBe(true);
			});
		});
	});

	test('removes our monitor: it is not put back, and the error says that it is gone', async () => {
		await withService({}, async (service, _scim, alert) => {
			meddle(service, 'during', () => writeElsewhere(service, 'model-2', DRIFT, remove));
			const one = { monitors: 'ids', monitorIds: DRIFT };
			const { error } = await alert('monitor', 'attach', { ...SMALL, ...one });
			expect(error.message).toBe(
				`Could not attach old-hook to monitor ${DRIFT} of model model-2: monitor ${DRIFT} is no longer there`,
			);
			expect(documentOf(service).monitors).toHaveLength(2);
		});
	});

	// The worst case: writes wait until those of all who still write are there, so one wins and all others are dropped.
	test('is 4 runs of our own on different monitors, merged: nothing is lost', async () => {
		const [WRITERS, ROUNDS] = [4, 5];
		const ids = Array.from({ length: WRITERS }, (_, index) => `monitor-number-${index}`);
		const seed = alertingSeed({ 'm-1': document(ids.map((id) => monitor(id))) });
		const held = [];
		let writing = 0;
		const letGo = () => {
			if (held.length === writing) for (const go of held.splice(0)) go();
		};
		const onRequest = async ({ method }) => {
			if (method !== 'PATCH') return;
			await new Promise((go) => {
				held.push(go);
				letGo();
			});
		};
		await withService({ seed, onRequest }, async (service, _scim, alert) => {
			for (let round = 0; round < ROUNDS; round++) {
				const attaches = round % 2 === 0;
				writing = WRITERS;
				const results = await Promise.all(
					ids.map(async (id) => {
						const result = await alert('monitor', attaches ? 'attach' : 'detach', {
							model: byId('m-1'),
							monitors: 'one',
							monitor: byId(id),
							action: byId('chat'),
						});
						writing -= 1;
						letGo();
						return result;
					}),
				);
				expect(results.map(({ error }) => error?.message)).toEqual(Array(WRITERS).fill(undefined));
				expect(Object.values(targetsOf(service, 'm-1'))).toEqual(
					ids.map(() => (attaches ? ['chat'] : [])),
				);
			}
			expect(writesOf(service)).toBe((4 + 3 + 2 + 1) * ROUNDS);
		});
	});
});

describe('answers that are no use', () => {
	test.each([
		['reset-after', 1],
		['500-after', 1],
		['timeout-after', 1, { timeout: 1 }],
		['truncated', 1],
		['dropped', 4, {}, 3],
		['empty-200', 5, {}, 4],
		['html-200', 5, {}, 4],
		['reset-before', 3, {}, 2],
		['500-html', 3, {}, 2],
		['429', 3, {}, 2],
	])(
		'%s of the write: read back first, and never doubled',
		async (kind, writes, options = {}, times = 1) => {
			for (const merges of options.timeout === undefined ? [true, false] : [false]) {
				mockPauses.length = 0;
				const faults = [{ method: merges ? 'PATCH' : 'PUT', kind, times }];
				await withService({ merges, faults }, async (service, _scim, alert) => {
					const { json, error } = await alert('monitor', 'attach', { ...SMALL, options });
					expect([kind, error?.message]).toEqual([kind, undefined]);
					expect(tally(json)).toMatchObject({ changed: 3, failed: 0 });
					// Our own write is not taken for that of somebody else.
					expect([kind, json[0].warnings]).toEqual([kind, undefined]);
					expect([kind, writesOf(service)]).toEqual([kind, writes]);
					for (const targets of Object.values(targetsOf(service)))
						expect(targets.filter((target) => target === 'old-hook')).toHaveLength(1);
					// Writers that collide and try again at the same moment would collide forever.
					expect(mockPauses.length).toBeGreaterThanOrEqual(writes - 1);
					if (kind === '429') expect(mockPauses[0]).toBeGreaterThanOrEqual(250);
					if (kind === 'dropped') {
						expect(mockPauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(3 * 400);
					}
				});
			}
		},
	);

	const UNVERIFIED = `Could not confirm: attach old-hook to monitor ${DRIFT} of model model-2: `;
	const UNSEEN = `${UNVERIFIED}the service did not show it when it was read back`;
	const SAVING = `${UNVERIFIED}Could not save monitors of model model-2: `;
	const BUSY = `${SAVING}the service answered 429, Too Many Requests`;
	const BROKEN = `${SAVING}the service answered 500, 500 Internal Server Error`;

	test.each([
		['dropped', {}, UNSEEN, 5],
		['html-200', {}, UNSEEN, 5],
		['429', {}, BUSY, 5],
		['429', { maxWait: 0 }, BUSY, 1],
		['reset-before', {}, `${SAVING}the connection broke off`, 5],
		['500-html', {}, BROKEN, 5],
		[
			'html-403',
			{},
			'Could not save monitors of model model-2: the service answered 403, 403 Forbidden',
			1,
		],
		['500-after', {}, undefined, 1],
	])('%s to the end, %j: %s', async (kind, options, message, writes) => {
		await withService({ faults: [{ method: 'PATCH', kind }] }, async (service, _scim, alert) => {
			const one = { monitors: 'ids', monitorIds: DRIFT, options };
			const { error } = await alert('monitor', 'attach', { ...SMALL, ...one });
			expect(error?.message.startsWith(message)).toBe(message && true);
			expect(writesOf(service)).toBe(writes);
			expect(targetsOf(service)[DRIFT]).toEqual(message ? ['email'] : ['email', 'old-hook']);
			if (kind === 'html-403') expect(error.description).toContain('access-token settings');
			if (options.maxWait === 0) expect(mockPauses).toStrictEqual([]);
			// Looked for after the last try, too.
			expect(service.log.requests.at(-1).method).toBe(kind === 'html-403' ? 'PATCH' : 'GET');
		});
	});

	test.each([
		[30, 20, 0, 1],
		[1, 3, 3_000, 4],
	])(
		'429 for %s s each, Max Wait %s s: so long altogether, and the error says it',
		async (...given) => {
			const [retryAfter, maxWait, waited, writes] = given;
			const faults = [{ method: 'PATCH', kind: '429', retryAfter }];
			await withService({ faults }, async (service, _scim, alert) => {
				const { error } = await alert('monitor', 'attach', { ...SMALL, options: { maxWait } });
				expect(error).toMatchObject({
					httpCode: '429',
					description: expect.stringContaining(`The service asks to wait ${retryAfter} second`),
				});
				expect(mockPauses.reduce((sum, ms) => sum + ms, 0)).toBe(waited);
				expect(writesOf(service)).toBe(writes);
			});
		},
	);

	test.each([
		['dropped', `Could not confirm: attach old-hook to monitor ${DRIFT}`, 6],
		['html-403', 'Could not save monitors', 2],
	])('of one model (%s): the other is done, and a second run does the rest', async (...given) => {
		const [kind, failed, writes] = given;
		const faults = [{ method: 'PATCH', path: /model-2/, kind }];
		await withService({ faults }, async (service, _scim, alert) => {
			const other = 'newsletter-data-type-monitor';
			const parameters = {
				...SMALL,
				models: 'ids',
				modelIds: 'model-1, model-2',
				monitors: 'ids',
				monitorIds: [other, DRIFT, VOLUME].join(),
			};
			const { error } = await alert('monitor', 'attach', parameters);
			expect(error.message).toContain(`2 of 3 changes failed: ${failed} of model model-2: `);
			expect(error.description).toContain(
				`Done: item 0 (attach old-hook to monitor ${other} of model model-1: done).`,
			);
			if (kind === 'dropped') {
				expect(error.description).toContain('completed changes are not repeated');
				expect(error.description).toContain(
					`Could not confirm: attach old-hook to monitor ${VOLUME} of model model-2: the service did not show it when it was read back`,
				);
			}
			expect(writesOf(service)).toBe(writes);
			service.faults.clear();
			const { json } = await alert('monitor', 'attach', parameters);
			expect(tally(json)).toMatchObject({ changed: 2, unchanged: 1, failed: 0 });
		});
	});

	test('the key of another organization: 403', async () => {
		await withService({}, async (service, _scim, alert) => {
			const credential = { apiKey: service.apiKeys['org-7788'] };
			const { error } = await alert('monitor', 'attach', SMALL, { credential });
			expect(error.httpCode).toBe('403');
			expect(writesOf(service)).toBe(0);
		});
	});

	test('the read-back fails: unverified, not done', async () => {
		const path = /monitor-config/;
		const faults = [{ method: 'GET', path, nth: [2, 3, 4, 5, 6], kind: '500-html' }];
		await withService({ faults }, async (service, _scim, alert) => {
			const { error } = await alert('monitor', 'attach', SMALL);
			expect(error.message).toContain('3 of 3 changes failed: Could not confirm: attach');
			expect(error.message).toContain('500 Internal Server Error');
			expect(targetsOf(service)[DRIFT]).toEqual(['email', 'old-hook']);
			const { json } = await alert('monitor', 'attach', SMALL);
			expect(tally(json)).toMatchObject({ changed: 0, unchanged: 3 });
		});
	});

	test.each([
		[1, undefined],
		[99, '3 of 3 changes failed: Could not confirm: attach'],
	])('%s reads are late: outlasted, or unverified; it is there once', async (lagReads, message) => {
		await withService({ lagReads }, async (service, _scim, alert) => {
			const { error } = await alert('monitor', 'attach', SMALL);
			if (message === undefined) expect(error).toBeUndefined();
			else expect(error.message).toContain(message);
			expect(targetsOf(service)[DRIFT]).toEqual(['email', 'old-hook']);
		});
	});
});

describe('a service that takes a merge for the whole', () => {
	const LOST =
		'The service has dropped 4 monitors and analyzers that were not part of the change: ';

	test.each([
		['after a 200', {}],
		['after a lost answer', { faults: [{ method: 'PATCH', nth: 1, kind: 'reset-after' }] }],
		['without versions', { keepsText: true }],
	])('is found out %s, with what is gone', async (_what, options) => {
		await withService({ patchReplaces: true, ...options }, async (service, _scim, alert) => {
			const text = service.state
				.configurationText(ORG, 'model-2')
				.replace(/"metadata":\{[^}]*\},?/g, '');
			if (options.keepsText)
				service.state.storeConfiguration(ORG, 'model-2', text.replaceAll(',}', '}'));
			const two = { monitors: 'ids', monitorIds: `${DRIFT},${VOLUME}` };
			const { error } = await alert('monitor', 'attach', { ...SMALL, ...two });
			expect(error.message).toContain(`2 of 2 changes failed: Could not confirm: attach`);
			expect(error.message).toContain(`${LOST}${SCHEMA}, uplift-drift-analyzer`);
			expect(countsOf(service).PATCH).toBe(1);
		});
	});

	test('does it to one model only', async () => {
		await withService({ patchReplaces: true }, async (service, _scim, alert) => {
			const { error } = await alert('monitor', 'attach', {
				...SMALL,
				models: 'ids',
				modelIds: 'model-1, model-2',
				monitors: 'ids',
				monitorIds: `newsletter-data-type-monitor, ${DRIFT}`,
			});
			expect(error.message).toContain('The service has dropped 59 monitors and analyzers');
			const writes = service.log.requests.filter(({ method }) => method !== 'GET');
			expect(writes.map(({ method }) => method)).toEqual(['PATCH', 'PUT']);
			expect(documentOf(service).monitors).toHaveLength(3);
			expect(targetsOf(service)[DRIFT]).toEqual(['email', 'old-hook']);
		});
	});
});

describe('a configuration that was read a while ago', () => {
	/** Runs an operation on model-2 and model-1; `meanwhile` comes when model-2 was read, and a second and more goes by. */
	async function runLate(operation, parameters, meanwhile, check, items) {
		const { now } = Date;
		let later = 0;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
		try {
			await withService({}, async (service, _scim, alert) => {
				service.options.onRequest = ({ path, method }) => {
					if (method !== 'GET' || !path.includes('model-1/')) return;
					service.options.onRequest = undefined;
					later = 1_500;
					meanwhile(service);
				};
				const resource = operation === 'update' ? 'monitorConfiguration' : 'monitor';
				const given = items?.(service);
				const more = given && { items: given, onError: 'continueErrorOutput' };
				const result = await alert(resource, operation, parameters, more);
				const lines = requestsOf(service).filter((line) => line.includes('model-2'));
				await check(result, service, lines.map((line) => line.split(' ')[0]).join(' '));
			});
		} finally {
			clock.mockRestore();
		}
	}
	const BOTH = {
		...SMALL,
		models: 'ids',
		modelIds: 'model-2, model-1',
	};
	const edit = (id, change) => (service) => writeElsewhere(service, 'model-2', id, change);

	test.each([
		[
			'is read again before it is written',
			edit(VOLUME, (one) => Object.assign(one, { tags: ['theirs'] })),
			'GET GET PATCH GET',
			undefined,
		],
		[
			'and is as wanted by now is not written',
			(service) => {
				const text = service.state.configurationText(ORG, 'model-2');
				const done = JSON.parse(text);
				for (const one of done.monitors) one.actions = [{ type: 'global', target: 'old-hook' }];
				service.state.storeConfiguration(ORG, 'model-2', done);
			},
			'GET GET',
			undefined,
		],
		[
			'and cannot be read again is not written',
			(service) => service.faults.add({ method: 'GET', path: /model-2/, kind: 'html-403' }),
			'GET GET',
			'3 of 33 changes failed: Could not read the monitor configuration of model model-2: the service answered 403',
		],
		[
			'and has lost a monitor: that one fails alone',
			edit(DRIFT, () => false),
			'GET GET PATCH GET',
			`Could not attach old-hook to monitor ${DRIFT} of model model-2: monitor ${DRIFT} is no longer there`,
		],
		[
			'and has strange actions by now: that monitor fails alone',
			(service) => {
				const text = service.state.configurationText(ORG, 'model-2');
				const strange = text.replace(/"actions":\[[^\]]*\]/, '"actions":{}');
				service.state.storeConfiguration(ORG, 'model-2', strange);
				service.options.keepsText = true;
			},
			'GET GET PATCH GET',
			`The actions of monitor ${DRIFT} are not a list`,
		],
	])('%s', async (what, meanwhile, methods, message) => {
		await runLate('attach', BOTH, meanwhile, ({ json, error }, service, lines) => {
			expect(lines).toBe(methods);
			if (message === undefined) {
				const changed = methods.includes('PATCH') ? 33 : 30;
				expect(tally(json)).toMatchObject({ changed, unchanged: 33 - changed });
				expect(json[0].warnings).toBeUndefined();
			} else expect(error.message).toContain(message);
			if (what.startsWith('is read')) {
				const theirs = documentOf(service).monitors.find(({ id }) => id === VOLUME);
				expect(theirs).toMatchObject({ tags: ['theirs'] });
			}
		});
	});

	test('is not put in the place of what somebody else has written by now', async () => {
		const items = (service) =>
			['model-2', 'model-1'].map((model) => {
				const wanted = documentOf(service, model);
				wanted.monitors[0].disabled = true;
				return { model, wanted };
			});
		const parameters = {
			model: byId('={{ $json.model }}'),
			configuration: '={{ $json.wanted }}',
		};
		const meanwhile = edit(VOLUME, (one) => Object.assign(one, { tags: ['theirs'] }));
		const check = ({ errorJson, json }, service, lines) => {
			expect(json).toHaveLength(1);
			expect(errorJson[0].error).toBe(
				'Someone else has changed the configuration of model model-2 meanwhile',
			);
			expect(lines).toBe('GET GET');
		};
		await runLate('update', parameters, meanwhile, check, items);
	});
});

test('cancelled after a write that was dropped: no more is sent', async () => {
	const cancellation = new AbortController();
	const faults = [{ method: 'PATCH', kind: 'dropped' }];
	await withService({ faults }, async (service, _scim, alert) => {
		service.options.onAnswer = ({ method }) => method === 'PATCH' && cancellation.abort();
		const parameters = { ...SMALL, models: 'all' };
		await alert('monitor', 'attach', parameters, { cancelSignal: cancellation.signal });
		expect(countsOf(service).PATCH).toBe(1);
	});
});

test('settings out of range are refused before anything is sent', async () => {
	await withService({}, async (service, _scim, alert) => {
		const { error } = await alert('monitor', 'attach', { ...SMALL, options: { maxWait: -1 } });
		expect(error?.message).toBe('Max Wait (Seconds) is not a number from 0 to 86400');
		expect(writesOf(service)).toBe(0);
	});
});
