'use strict';

const { cleanUp } = require('../../demo/cleanup');
const { engineStage } = require('../../demo/engine');
const { playNamed } = require('../../demo/plays');
require('../support/noWaiting');

const ON_ENGINE = [
	...['joiner', 'mover', 'leaver', 'reconcile', 'people', 'groups'],
	...['events', 'rules', 'retention', 'trial', 'alerts'],
];

describe('The demo', () => {
	const { argv } = process;
	let said;
	let stage;

	beforeAll(async () => {
		stage = await engineStage();
	});
	afterAll(cleanUp);
	beforeEach(() => {
		said = '';
		jest.spyOn(process.stdout, 'write').mockImplementation((text) => (said += text));
	});
	afterEach(() => {
		process.argv = argv;
		jest.restoreAllMocks();
		stage.service.faults.clear();
	});

	function demo(...words) {
		process.argv = [...argv.slice(0, 2), ...words];
		return playNamed({ command: 'demo', known: ON_ENGINE, setStage: async () => stage });
	}

	test.each(ON_ENGINE)('%s does what was asked for', async (name) => {
		expect([await demo(name), said]).toEqual([0, expect.stringContaining('All right')]);
	});

	test('says what is wrong when the service forgets what it was sent', async () => {
		stage.service.faults.add({ method: 'PATCH', path: /org-3454.*member$/, kind: 'dropped' });
		expect(await demo('joiner')).toBe(1);
		expect(said).toContain('WRONG  The service holds exactly what was asked for');
		expect(said).toContain('amara.diallo@example.com has no role in Marketing instead of member.');
		expect(said).toContain('=== WRONG: joiner ===');
	});

	test.each([
		[['--help'], 0],
		[['nobody'], 2],
	])('%s says what can be played', async (words, code) => {
		expect([await demo(...words), said]).toEqual([code, expect.stringContaining('joiner, mover')]);
	});
});
