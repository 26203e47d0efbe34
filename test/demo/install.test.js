'use strict';

const { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { installN8n } = require('../../demo/n8n/install');

/** Notes what it is asked for; fails at the driver where nothing can be downloaded; else leaves what n8n would be. */
const NPM = `#!${process.execPath}
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
const [command, what] = process.argv.slice(2);
appendFileSync(process.env.N8N_DEMO_CACHE + '.calls', command + '\\n');
if (command === 'install') process.exit(process.env.OFFLINE ? 1 : 0);
if (command === 'ci') {
	for (const name of ['n8n', 'sqlite3', 'node-' + process.platform + '-' + process.arch + '/bin'])
		mkdirSync('node_modules/' + name, { recursive: true });
	writeFileSync('node_modules/n8n/package.json', '{"version":"1.2.3"}');
	writeFileSync('node_modules/sqlite3/index.js', '');
	symlinkSync(process.execPath, 'node_modules/node-' + process.platform + '-' + process.arch + '/bin/node');
}
`;

describe('The n8n of the demo, where nothing can be compiled', () => {
	const saved = { ...process.env };
	let folder;
	const called = () => readFileSync(`${process.env.N8N_DEMO_CACHE}.calls`, 'utf8').split('\n');

	beforeEach(() => {
		jest.spyOn(process.stdout, 'write').mockReturnValue(true);
		folder = mkdtempSync(join(tmpdir(), 'scim-provisioning-install-'));
		const programs = join(folder, 'programs');
		mkdirSync(programs);
		for (const [name, text] of Object.entries({ npm: NPM, make: '#!/bin/sh\n' })) {
			writeFileSync(join(programs, name), text);
			chmodSync(join(programs, name), 0o755);
		}
		Object.assign(process.env, { PATH: programs, N8N_DEMO_CACHE: join(folder, 'cache') });
	});

	afterEach(() => {
		jest.restoreAllMocks();
		process.env = { ...saved };
		rmSync(folder, { recursive: true });
	});

	test('nor downloaded, the demo says what is missing and installs nothing', async () => {
		process.env.OFFLINE = 'yes';
		await expect(installN8n()).rejects.toThrow(
			/python3 and g\+\+ are missing\. Nothing was installed\.\n.*\n {2}apt-get install -y python3 g\+\+$/,
		);
		expect(called()).toEqual(['install', '']);
		expect(readdirSync(folder).sort()).toEqual(['cache.calls', 'programs']);
	});

	test('n8n is installed when its driver can be downloaded, and found again without any check', async () => {
		const installed = await installN8n();
		expect(installed).toMatchObject({ version: '1.2.3' });
		expect(called()).toEqual(['install', 'ci', 'rebuild', '']);
		process.env.OFFLINE = 'yes';
		expect(await installN8n()).toEqual(installed);
		expect(called()).toHaveLength(4);
	});
});
