'use strict';

// n8n-core takes seconds and 100 MB to load, and by itself jest loads it anew for every test file, in a world of its
// own. Here all test files of a process share its own world, and what they need of node_modules is loaded once, as are what
// is built and the local service (built.js).

const { join, sep } = require('node:path');
const vm = require('node:vm');
const Module = require('node:module');
const { ModuleMocker } = require('jest-mock');
const { setUpInOwnFolder } = require('../harness/settings');

// Jest can only compile for a context of its own: without one, `compileFunction` does it for this world. What several test
// files need, jest itself among it, is compiled once, and keeps nothing: each file calls the function anew.
const own = vm.createContext({});
const { compileFunction } = vm;
const compiled = new Map();
vm.compileFunction = (source, names, { parsingContext, ...options }) => {
	if (parsingContext !== own) return compileFunction(source, names, { parsingContext, ...options });
	const { filename } = options;
	// A test file is met once in a process, and an import belongs to the file for which it was compiled.
	if (/\.test\.[jt]s$/.test(filename) || source.includes('import('))
		return compileFunction(source, names, options);
	const known = compiled.get(filename);
	if (known?.source === source && known.names === names.join()) return known.made;
	const made = compileFunction(source, names, options);
	compiled.set(filename, { source, names: names.join(), made });
	return made;
};

// Jest makes a storage for each test file, for which of its tests is under way: every promise would carry it along, which
// makes all of them slow. Tests run one after the other, so that is a variable.
const hooks = require('node:async_hooks');
const { AsyncLocalStorage } = hooks;
class OneAfterTheOther {
	getStore() {
		return this.store;
	}

	run(store, task) {
		const before = this.store;
		const leave = () => void (this.store = before);
		this.store = store;
		try {
			const made = task();
			if (typeof made?.then === 'function') made.then(leave, leave);
			else leave();
			return made;
		} catch (error) {
			leave();
			throw error;
		}
	}
}
const isOfJest = () => /[\\/]jest-circus[\\/]/.test(new Error('from where').stack);
Object.defineProperty(hooks, 'AsyncLocalStorage', {
	// From Node.js 22 on it is a getter, which cannot be assigned to.
	value: new Proxy(AsyncLocalStorage, {
		construct: (target, given, made) =>
			isOfJest() ? new OneAfterTheOther() : Reflect.construct(target, given, made),
	}),
});

setUpInOwnFolder();

const { createRequire } = Module;
const BUILT = join(__dirname, '../../dist') + sep;
const SERVICE = join(__dirname, '../../demo/service') + sep;

/** Another n8n than that of the development dependencies; test/compat/run.js says where it is. */
const { N8N_MODULES = join(__dirname, '../../node_modules') } = process.env;
const requireN8n = createRequire(join(N8N_MODULES, 'n8n-core', 'package.json'));

/**
 * n8n-core 2.11 starts a manager of SSH connections with every execution. Its timer of a minute would keep jest from
 * ending.
 */
function stopTimersOf(core) {
	const { Container } = requireN8n('@n8n/di');
	const { SSHClientsManager } = createRequire(requireN8n.resolve(core))(
		'./execution-engine/ssh-clients-manager',
	);
	Container.get(SSHClientsManager).onShutdown();
}

/** n8n-workflow as the package has it: a copy, of which tests replace functions, and put them back. */
let ofPackage;
const workflowOfPackage = () => (ofPackage ??= { ...requireN8n('n8n-workflow') });

const { _load } = Module;
Module._load = (name, parent, ...rest) =>
	name === 'n8n-workflow' && parent?.filename.startsWith(BUILT)
		? workflowOfPackage()
		: _load(name, parent, ...rest);

globalThis[Symbol.for('loaded once')] = (name, from) => {
	if (name === 'n8n-workflow') return workflowOfPackage();
	const loader = from === undefined ? require : createRequire(from);
	const load = name.startsWith('n8n-') ? requireN8n : loader;
	const isFirst = load.cache[load.resolve(name)] === undefined;
	const loaded = load(name);
	if (isFirst && name === 'n8n-core') stopTimersOf(name);
	return loaded;
};

/** What jest-circus keeps of each file: its tests, and listeners that would go on listening to later files. */
const LEFT_BEHIND = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

const { exit } = process;

module.exports = class {
	global = globalThis;

	moduleMocker = new ModuleMocker(globalThis);

	fakeTimers = null;

	fakeTimersModern = null;

	getVmContext() {
		return own;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	async setup() {
		// `npm run watch` builds between two rounds, which may be of one process.
		if (process.env.WATCH_BUILT === undefined) return;
		for (const file of Object.keys(require.cache)) {
			if ([BUILT, SERVICE].some((folder) => file.startsWith(folder))) delete require.cache[file];
		}
	}

	// Jest asks for 100 lines of every error, and thousands of the runs here break off.
	handleTestEvent({ name }) {
		if (name === 'run_start') Error.stackTraceLimit = 10;
	}

	async teardown() {
		// What is built is that of the next file, too.
		this.moduleMocker.restoreAllMocks();
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (LEFT_BEHIND.includes(symbol.description)) delete globalThis[symbol];
		}
		// Jest wraps it for each file.
		process.exit = exit;
	}
};
