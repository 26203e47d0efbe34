'use strict';

// What n8n reads when it starts instead of loading the nodes: `n8n-generate-metadata` writes it with the build.

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { LazyPackageDirectoryLoader, PackageDirectoryLoader } = require('n8n-core');
const { name: PACKAGE, n8n } = require('../../package.json');

const ROOT = join(__dirname, '../..');
/** The schedule of a trigger is n8n's own: each version adds its own when it loads the node. */
const asSent = (given) =>
	JSON.parse(
		JSON.stringify(given, (_key, value) => (value?.name === 'pollTimes' ? 'by n8n' : value)),
	);
const loaded = async (Loader) => {
	const loader = new Loader(ROOT);
	await loader.loadAll();
	return loader;
};

describe('What n8n knows of the package when it starts', () => {
	test('is read without loading a node', async () => {
		const loader = await loaded(LazyPackageDirectoryLoader);
		expect([loader.isLazyLoaded, loader.nodeTypes, loader.credentialTypes]).toEqual([true, {}, {}]);
		expect(Object.keys(loader.known.nodes)).toHaveLength(n8n.nodes.length);
		expect(Object.keys(loader.known.credentials)).toHaveLength(n8n.credentials.length);
	});

	test.each(['known', 'types'])('is what it knows after the installation: %s', async (what) => {
		const [lazy, whole] = [
			await loaded(LazyPackageDirectoryLoader),
			await loaded(PackageDirectoryLoader),
		];
		expect(asSent(lazy[what])).toEqual(asSent(whole[what]));
	});

	test('has icons that are in the package, of nodes and credentials', async () => {
		const { nodes, credentials } = (await loaded(LazyPackageDirectoryLoader)).types;
		for (const { iconUrl } of [...nodes, ...credentials]) {
			for (const url of [iconUrl.light, iconUrl.dark]) {
				const [, file] = url.split(`icons/${PACKAGE}/`);
				expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
			}
		}
	});

	test('a node and a credential are loaded where they are used', async () => {
		const loader = await loaded(LazyPackageDirectoryLoader);
		expect(loader.getNode('scimProvisioning').type.execute).toBeInstanceOf(Function);
		expect(loader.getCredential('scimProvisioningApi').type.restrictToSupportedNodes).toBe(true);
	});
});
