'use strict';

// What happens to monitors when others write at the same time, and when answers get lost. Pauses between tries, whose
// random part is up to 400 ms, pass at once, so that colliding writers collide again at once: the worst case.
const mockPauses = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual('n8n-workflow'),
	sleep: async (ms) => {
		mockPauses.push(ms);
	},
}));

const { parseExact } = require('../../demo/service/exactJson');
const { byId } = require('../support/node');
const { oneConfiguration, withPlainService } = require('../support/plainService');
const { countsOf, requestsOf, withService } = require('../support/service');

const ORG = 'org-3454';
const ALL = { monitors: 'all' };
const SMALL = { model: byId('model-2'), ...ALL, action: byId('old-hook') };
const ROUNDS = 50;

const ACTIONS = Array.from({ length: ROUNDS / 10 }, (_, index) => `action-${index}`);

/** A seed of one small model, so that many rounds take little time. */
const seedOf = (ids) => ({
	account: 'org-acct',
	organizations: ['org-acct', ORG].map((id) => ({ id, name: id })),
	models: [{ organization: ORG, id: 'm-1', name: 'Model' }],
	actions: ACTIONS.map((id) => ({
		organization: ORG,
		id,
		type: 'EMAIL',
		payload: { email: 'a@example.com' },
	})),
	configurations: [
		{
			organization: ORG,
			model: 'm-1',
			document: {
				metadata: { version: 1 },
				analyzers: [],
				monitors: ids.map((id) => ({
					id,
					analyzerIds: [],
					actions: [],
					schedule: { type: 'immediate' },
					mode: { type: 'DIGEST' },
				})),
			},
		},
	],
});
const namesOf = (count) => Array.from({ length: count }, (_, index) => `monitor-number-${index}`);

const isConfiguration = ({ path }) => path.endsWith('/monitor-config/v3');
const textOf = (service, model = 'model-2') => service.state.configurationText(ORG, model);
const monitorsOf = (service, model) => JSON.parse(textOf(service, model)).monitors;
const targetsOf = (service, model) =>
	Object.fromEntries(
		monitorsOf(service, model).map(({ id, actions = [] }) => [
			id,
			actions.map(({ target }) => target),
		]),
	);
const writesOf = (service) => countsOf(service).PATCH ?? countsOf(service).PUT ?? 0;

/** Another writer: edits the stored document and counts its versions up, as the service does. */
function writeElsewhere(service, edit, model = 'model-2') {
	const document = parseExact(textOf(service, model));
	edit(document);
	const metadata = document.get('metadata');
	metadata.set('version', Number(metadata.get('version')) + 1);
	service.state.alerting.storeConfiguration(ORG, model, document);
}

/**
 * Has somebody else write once: `between` our read and our write, so that we do not know of it, or `during` our
 * write, which the service then drops with 200 because it came first and is done later.
 */
function meddle(service, when, write) {
	service.options.onRequest = (entry) => {
		if (!isConfiguration(entry)) return;
		if (when === 'between' ? entry.method !== 'GET' : entry.method === 'GET') return;
		service.options.onRequest = undefined;
		if (when === 'during') write();
		else onceAnswered(entry, write);
	};
}

/** Before the answer has arrived, so that nothing of what follows from it has. */
function onceAnswered(entry, work) {
	setImmediate(() => (entry.status === undefined ? onceAnswered(entry, work) : work()));
}

beforeEach(() => {
	mockPauses.length = 0;
});

describe.each([
	['automatic', 'between'],
	['merge', 'during'],
	['whole', 'between'],
	['whole', 'during'],
])('Save With %s, somebody else writes %s', (saveWith, when) => {
	test(`${ROUNDS} rounds: what was reported is there, and nothing else is lost unseen`, async () => {
		const ids = namesOf(10);
		await withService({ seed: seedOf(ids) }, async (service, _scim, alert) => {
			const wanted = {};
			let overwritten = 0;
			for (let round = 0; round < ROUNDS; round++) {
				const [own, other] = [ids[round % 10], ids[(round + 3) % 10]];
				const action = ACTIONS[Math.floor(round / 10)];
				meddle(service, when, () => {
					writeElsewhere(
						service,
						(document) => {
							const monitors = document.get('monitors');
							monitors.find((one) => one.get('id') === other).set('tags', [`round-${round}`]);
						},
						'm-1',
					);
				});
				const { json, error } = await alert('monitor', 'attach', {
					model: byId('m-1'),
					monitors: 'one',
					monitor: byId(own),
					action: byId(action),
					options: { saveWith },
				});
				expect(error).toBeUndefined();
				expect(json).toMatchObject([{ changed: 1, monitors: [{ id: own }] }]);
				expect(json[0].monitors[0].actions).toContain(action);

				const now = Object.fromEntries(monitorsOf(service, 'm-1').map((one) => [one.id, one]));
				expect(now[own].actions.filter(({ target }) => target === action)).toHaveLength(1);
				if (now[other].tags?.[0] === `round-${round}`) wanted[other] = [`round-${round}`];
				else {
					overwritten += 1;
					expect(json[0].warnings).toEqual([
						expect.stringContaining('Someone else wrote this configuration at the same time'),
					]);
				}
			}
			expect(overwritten).toBe(saveWith === 'whole' && when === 'between' ? ROUNDS : 0);
			expect(writesOf(service)).toBe(when === 'during' ? 2 * ROUNDS : ROUNDS);
			for (const { id, tags, actions } of monitorsOf(service, 'm-1')) {
				if (wanted[id] !== undefined) expect(tags).toEqual(wanted[id]);
				expect(actions.map(({ target }) => target)).toEqual(ACTIONS);
			}
		});
	});
});

describe('our own writers at once', () => {
	test(`4 of them on different monitors, ${ROUNDS} rounds, merged: nothing is lost`, async () => {
		const WRITERS = 4;
		const ids = namesOf(WRITERS);
		// The worst case: writes wait until those of all who still write are there, so one wins and all others are dropped.
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
		await withService({ seed: seedOf(ids), onRequest }, async (service, _scim, alert) => {
			for (let round = 0; round < ROUNDS; round++) {
				const attaches = round % 2 === 0;
				writing = WRITERS;
				const results = await Promise.all(
					ids.map(async (id) => {
						const result = await alert('monitor', attaches ? 'attach' : 'detach', {
							model: byId('m-1'),
							monitors: 'one',
							monitor: byId(id),
							action: byId(ACTIONS[0]),
						});
						writing -= 1;
						letGo();
						return result;
					}),
				);
				expect(results.map(({ error }) => error?.message)).toEqual(Array(WRITERS).fill(undefined));
				expect(Object.values(targetsOf(service, 'm-1'))).toEqual(
					ids.map(() => (attaches ? [ACTIONS[0]] : [])),
				);
			}
			expect(writesOf(service)).toBe((4 + 3 + 2 + 1) * ROUNDS);
		});
	}, 60_000);
});

describe('a write that is dropped with 200', () => {
	test.each(['merge', 'whole'])('now and then: made anew (%s)', async (saveWith) => {
		const fault = {
			method: saveWith === 'merge' ? 'PATCH' : 'PUT',
			nth: [1, 2, 3],
			kind: 'dropped',
		};
		await withService({ faults: [fault] }, async (service, _scim, alert) => {
			const { json } = await alert('monitor', 'attach', { ...SMALL, options: { saveWith } });
			expect(json).toMatchObject([{ changed: 3, failed: 0 }]);
			expect(writesOf(service)).toBe(4);
			expect(countsOf(service).GET).toBe(6);
			expect(mockPauses.length).toBeGreaterThanOrEqual(3);
			expect(mockPauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(3 * 400);
		});
	});

	test('always: unverified after Max Tries, with what is attached and what is not', async () => {
		const path = /model-2/;
		await withService(
			{ faults: [{ method: 'PATCH', path, kind: 'dropped' }] },
			async (...given) => {
				const [service, , alert] = given;
				const parameters = {
					...SMALL,
					models: 'ids',
					modelIds: 'model-1, model-2',
					monitors: 'ids',
					monitorIds: 'newsletter-data-type-monitor, uplift-drift-monitor, uplift-volume-monitor',
					action: byId('old-hook'),
				};
				const { error } = await alert('monitor', 'attach', parameters);
				expect(error.message).toBe(
					'2 of 3 failed: Could not verify that it worked to attach old-hook to monitor uplift-drift-monitor of model model-2: the service did not show it when it was read back. Done: attach old-hook to monitor newsletter-data-type-monitor of model model-1',
				);
				expect(error.description).toContain('run again: what is done already is left alone');
				expect(error.description).toContain(
					'Also: attach old-hook to monitor newsletter-data-type-monitor of model model-1: done; attach old-hook to monitor uplift-volume-monitor of model model-2: not verified (the service did not show it when it was read back).',
				);
				expect(writesOf(service)).toBe(6);
				expect(targetsOf(service)['uplift-drift-monitor']).toEqual(['email']);

				service.log.clear();
				await alert('monitor', 'attach', { ...parameters, options: { maxTries: 2 } });
				expect(writesOf(service)).toBe(2);
				service.faults.clear();
				const { json } = await alert('monitor', 'attach', parameters);
				expect(json).toMatchObject([{ changed: 2, unchanged: 1, failed: 0 }]);
			},
		);
	});
});

describe('while we write, somebody else', () => {
	const run = async (edit, check, when = 'during') => {
		await withService({}, async (service, _scim, alert) => {
			meddle(service, when, () => writeElsewhere(service, edit));
			const parameters = { ...SMALL, monitors: 'ids', monitorIds: 'uplift-drift-monitor' };
			await check(await alert('monitor', 'attach', parameters), service);
		});
	};
	const monitors = (document) => document.get('monitors');

	test('removes another monitor: ours is made anew, and nobody is blamed', async () => {
		await run(
			(document) => monitors(document).splice(1, 1),
			({ json, error }, service) => {
				expect(error).toBeUndefined();
				expect(json).toMatchObject([{ changed: 1 }]);
				expect(targetsOf(service)).toEqual({
					'uplift-drift-monitor': ['email', 'old-hook'],
					'uplift-schema-monitor': [],
				});
			},
		);
	});

	test('removes our monitor: it is not put back, and the error says that it is gone', async () => {
		await run(
			(document) => monitors(document).splice(0, 1),
			({ error }, service) => {
				expect(error.message).toBe(
					'Could not attach old-hook to monitor uplift-drift-monitor of model model-2: monitor uplift-drift-monitor is no longer there',
				);
				expect(monitorsOf(service)).toHaveLength(2);
			},
		);
	});

	test('attaches the same: it is there once', async () => {
		await run(
			(document) =>
				monitors(document)[0].get('actions').push({ type: 'global', target: 'old-hook' }),
			({ json }, service) => {
				expect(json).toMatchObject([{ failed: 0 }]);
				expect(targetsOf(service)['uplift-drift-monitor']).toEqual(['email', 'old-hook']);
				expect(writesOf(service)).toBe(1);
			},
		);
	});

	test('attaches another to our monitor: both are there, or a warning says to look', async () => {
		const edit = (document) =>
			monitors(document)[0].get('actions').push({ type: 'global', target: 'oncall-pager' });
		await run(edit, (_result, service) => {
			expect(targetsOf(service)['uplift-drift-monitor']).toEqual([
				'email',
				'oncall-pager',
				'old-hook',
			]);
		});
		await run(
			edit,
			({ json }, service) => {
				expect(targetsOf(service)['uplift-drift-monitor']).toEqual(['email', 'old-hook']);
				expect(json[0].warnings).toContainEqual(
					expect.stringContaining('Someone else wrote this configuration at the same time'),
				);
			},
			'between',
		);
	});
});

describe('answers that are no use', () => {
	test.each([
		['reset-after', 1, {}],
		['500-after', 1, {}],
		['timeout-after', 1, { timeout: 1 }],
		['truncated', 1, {}],
		['empty-200', 5, {}],
		['reset-before', 2, {}],
		['500-html', 2, {}],
		['429', 2, {}],
	])('%s of the write: read back first, and never doubled', async (kind, writes, options) => {
		const times = kind === 'empty-200' ? 4 : 1;
		for (const saveWith of options.timeout === undefined ? ['automatic', 'whole'] : ['whole']) {
			mockPauses.length = 0;
			const method = saveWith === 'whole' ? 'PUT' : 'PATCH';
			await withService({ faults: [{ method, kind, times }] }, async (service, _scim, alert) => {
				const parameters = { ...SMALL, options: { saveWith, ...options } };
				const { json, error } = await alert('monitor', 'attach', parameters);
				expect([kind, error?.message]).toEqual([kind, undefined]);
				expect(json).toMatchObject([{ changed: 3, failed: 0 }]);
				// Our own write is not taken for that of somebody else.
				expect([kind, json[0].warnings]).toEqual([kind, undefined]);
				expect([kind, writesOf(service)]).toEqual([kind, writes]);
				for (const targets of Object.values(targetsOf(service)))
					expect(targets.filter((target) => target === 'old-hook')).toHaveLength(1);
				if (kind === '429') expect(mockPauses[0]).toBeGreaterThanOrEqual(250);
			});
		}
	});

	test('429 longer than Max Wait: an error, nothing written', async () => {
		const faults = [{ method: 'PATCH', kind: '429', retryAfter: 30 }];
		await withService({ faults }, async (service, _scim, alert) => {
			const before = textOf(service);
			const { error } = await alert('monitor', 'attach', { ...SMALL, options: { maxWait: 20 } });
			expect(error).toMatchObject({
				httpCode: '429',
				message: expect.stringContaining('429, Too Many Requests'),
				description: expect.stringContaining('The service asks to wait 30 seconds'),
			});
			expect(mockPauses).toEqual([]);
			expect(writesOf(service)).toBe(1);
			expect(textOf(service)).toBe(before);
		});
	});

	test('403 as a web page: its title, one try', async () => {
		const faults = [{ method: 'PATCH', kind: 'html-403' }];
		await withService({ faults }, async (service, _scim, alert) => {
			const { error } = await alert('monitor', 'attach', SMALL);
			expect(error).toMatchObject({
				httpCode: '403',
				message: expect.stringContaining('the service answered 403, 403 Forbidden'),
				description: expect.stringContaining('access-token settings'),
			});
			expect(error.message).not.toContain('<');
			expect(writesOf(service)).toBe(1);
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
			expect(error.message).toContain('3 of 3 failed: Could not verify that it worked to attach');
			expect(error.message).toContain('500 Internal Server Error');
			expect(targetsOf(service)['uplift-drift-monitor']).toEqual(['email', 'old-hook']);
			const { json } = await alert('monitor', 'attach', SMALL);
			expect(json).toMatchObject([{ changed: 0, unchanged: 3 }]);
		});
	});

	test('a web page with 200 for the write: read back, and unverified in the end', async () => {
		const { answer, stored } = oneConfiguration('{"analyzers":[],"monitors":[{"id":"one"}]}');
		const page = (request) =>
			request.method === 'GET' ? answer(request) : [200, '<html>Sign in</html>'];
		await withPlainService(page, async (baseUrl, requests) => {
			await withService({}, async (_service, _scim, alert) => {
				const parameters = { model: byId('m'), ...ALL, action: byId('chat') };
				const { error } = await alert('monitor', 'attach', parameters, { credential: { baseUrl } });
				expect(error.message).toContain('the service did not show it when it was read back');
				expect(requests.filter(({ method }) => method === 'PATCH')).toHaveLength(5);
				expect(stored.text).toBe('{"analyzers":[],"monitors":[{"id":"one"}]}');
			});
		});
	});

	test('a service that takes a merge for the whole: said with what is gone, once', async () => {
		let text = JSON.stringify({
			metadata: { version: 4 },
			analyzers: [{ id: 'analyzer-1' }],
			monitors: [{ id: 'one' }, { id: 'two' }],
		});
		const replaces = ({ method, path, text: sent }) => {
			if (path.endsWith('/actions')) return [200, [{ id: 'chat', type: 'SLACK', payload: {} }]];
			if (method === 'GET') return [200, text];
			text = JSON.stringify({ metadata: { version: 5 }, analyzers: [], ...JSON.parse(sent) });
			return [200, {}];
		};
		await withPlainService(replaces, async (baseUrl, requests) => {
			await withService({}, async (_service, _scim, alert) => {
				const parameters = {
					model: byId('m'),
					monitors: 'one',
					monitor: byId('one'),
					action: byId('chat'),
				};
				const onError = 'continueErrorOutput';
				const more = { credential: { baseUrl }, onError };
				const { json, errorJson } = await alert('monitor', 'attach', parameters, more);
				expect(requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
				expect(json).toEqual([]);
				expect(errorJson[0].error).toContain(
					'The service has dropped 2 monitors and analyzers that were not part of the change: two, analyzer-1',
				);
			});
		});
	});
});

describe('time', () => {
	test('a configuration that was read a while ago is read again before it is written', async () => {
		const { now } = Date;
		let later = 0;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + later);
		try {
			await withService({}, async (service, _scim, alert) => {
				service.options.onRequest = ({ path, method }) => {
					if (method !== 'GET' || !path.includes('model-1/')) return;
					service.options.onRequest = undefined;
					// The other model was read by now; a second and more goes by, and somebody writes.
					later = 1_500;
					writeElsewhere(service, (document) => {
						document.get('monitors')[1].set('tags', ['of-somebody-else']);
					});
				};
				const { json } = await alert('monitor', 'attach', {
					...SMALL,
					models: 'ids',
					modelIds: 'model-2, model-1',
					options: { saveWith: 'whole', concurrency: 1 },
				});
				expect(json).toMatchObject([{ changed: 33 }]);
				expect(json[0].warnings).toBeUndefined();
				expect(requestsOf(service).filter((line) => line.includes('model-2'))).toHaveLength(4);
				expect(monitorsOf(service)[1]).toMatchObject({ tags: ['of-somebody-else'] });
			});
		} finally {
			clock.mockRestore();
		}
	});

	test('settings out of range are refused before anything is sent', async () => {
		await withService({}, async (service, _scim, alert) => {
			for (const [options, message] of [
				[{ maxTries: 0 }, 'Max Tries is not a number from 1 to 50'],
				[{ maxWait: -1 }, 'Max Wait (Seconds) is not a number from 0 to 86400'],
			]) {
				const { error } = await alert('monitor', 'attach', { ...SMALL, options });
				expect(error?.message).toBe(message);
			}
			expect(writesOf(service)).toBe(0);
		});
	});
});
