'use strict';

const { readdirSync, readFileSync, existsSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const NODES = join(__dirname, '..', 'nodes');

/** The rooms of docs/architecture.md, each with the rooms that it may use. */
const ROOMS = {
	'shared/util': [],
	'shared/http': ['shared/util'],
	'shared/scim': ['shared/http', 'shared/util'],
	'shared/run': ['shared/http', 'shared/util'],
	'shared/connection': ['shared/scim', 'shared/http', 'shared/util'],
	'shared/access/facts': ['shared/scim', 'shared/http', 'shared/util'],
	'shared/access/changes': [
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/http',
		'shared/util',
	],
	'shared/access/guards': [
		'shared/access/changes',
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/util',
	],
	'shared/access/plans': [
		'shared/access/guards',
		'shared/access/changes',
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/util',
	],
	'shared/access/send': [
		'shared/access/guards',
		'shared/access/changes',
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/http',
		'shared/util',
	],
	'shared/access/write': [
		'shared/connection',
		'shared/access/send',
		'shared/access/plans',
		'shared/access/guards',
		'shared/access/changes',
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/http',
		'shared/util',
	],
	'NotificationActions/configurations': ['shared/run', 'shared/http', 'shared/util'],
	'NotificationActions/actions': [
		'NotificationActions/configurations',
		'shared/run',
		'shared/http',
		'shared/util',
	],
	ScimProvisioning: [
		'shared/access/write',
		'shared/connection',
		'shared/access/send',
		'shared/access/plans',
		'shared/access/guards',
		'shared/access/changes',
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/http',
		'shared/util',
	],
	ScimProvisioningTrigger: [
		'shared/connection',
		'shared/access/guards',
		'shared/access/changes',
		'shared/access/facts',
		'shared/run',
		'shared/scim',
		'shared/http',
		'shared/util',
	],
	NotificationActions: [
		'NotificationActions/actions',
		'NotificationActions/configurations',
		'shared/run',
		'shared/http',
		'shared/util',
	],
};

const roomOf = (file) => Object.keys(ROOMS).find((room) => file.startsWith(`${room}/`));

const files = readdirSync(NODES, { recursive: true })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.ts'));

/** The files of the package that a file imports. */
function importsOf(file) {
	const source = readFileSync(join(NODES, file), 'utf8');
	return [...source.matchAll(/\bfrom '(\.[^']*)'/g)].map(([, specifier]) => {
		const path = relative(NODES, join(NODES, dirname(file), specifier)).replaceAll('\\', '/');
		const found = [`${path}.ts`, `${path}/index.ts`].find((one) => existsSync(join(NODES, one)));
		if (found === undefined) throw new Error(`${file} imports ${specifier}, which is not there`);
		return found;
	});
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

test('every file is in a room', () => {
	expect(files.filter((file) => roomOf(file) === undefined)).toStrictEqual([]);
});

test('rooms use the rooms below them alone, by their faces', () => {
	const wrong = [...imports].flatMap(([file, targets]) =>
		targets
			.filter((target) => roomOf(target) !== roomOf(file))
			.filter(
				(target) =>
					!ROOMS[roomOf(file)].includes(roomOf(target)) || target !== `${roomOf(target)}/index.ts`,
			)
			.map((target) => `${file} uses ${target}`),
	);
	expect(wrong).toStrictEqual([]);
});

test('no file reaches its room through its face', () => {
	const wrong = [...imports].filter(([file, targets]) =>
		targets.includes(`${roomOf(file)}/index.ts`),
	);
	expect(wrong.map(([file]) => file)).toStrictEqual([]);
});

test('no files import each other in a circle', () => {
	const circles = [];
	const done = new Set();
	const visit = (file, path) => {
		if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' > '));
		if (done.has(file) || path.includes(file)) return;
		for (const target of imports.get(file)) visit(target, [...path, file]);
		done.add(file);
	};
	for (const file of files) visit(file, []);
	expect(circles).toStrictEqual([]);
});

test('what a user shows of `active` is read in one place, and judged by facts and guards', () => {
	// What is sent, wanted or remembered is no fact of a user.
	const read =
		/(?<!\b(?:attributes|wanted|body|account|after|had))\??\.active\b|\bactive\b[^(){}]*\}: User\b/g;
	const wrong = files
		.filter(
			(file) => !/^shared\/(?:scim|access\/(?:facts|guards))\/|^NotificationActions/.test(file),
		)
		.flatMap((file) =>
			[...readFileSync(join(NODES, file), 'utf8').matchAll(read)].map(
				([text]) => `${file}: ${text}`,
			),
		);
	expect(wrong).toStrictEqual([]);
});
