#!/usr/bin/env node
'use strict';

const { parseArgs } = require('node:util');
const { FAULT_KINDS } = require('./faults');
const { startService, seedOf } = require('./index');
const { DIALECTS } = require('./scim/dialects');

const USAGE = `node demo/service/cli.js [switches]

  --port <n>                 0 (any) by default; always on 127.0.0.1
  --dialect <name>           a service of others, as it is documented (no alerting): ${Object.keys(DIALECTS).join(', ')}
  --latency <ms>             before each request is carried out
  --page-cap <n>             at most so many items in a page
  --filter on|off|ignored    off answers 400
  --lag-ms <ms>, --lag-reads <n>   reads after a write are late
  --index-lag-ms <ms>        new users are late in lists and filters
  --patch-answers body|204|stale
  --rate-limit <capacity>/<refill per minute>   calls cost 1 to 7 tokens
  --rate-<kind> <0..1>       a fault by chance, such as --rate-429 0.05
  --<kind>-every <n>         a fault each nth request, such as --reset-after-every 7
                             kinds: ${FAULT_KINDS.join(', ')}
  --random-seed <n>          for the faults by chance
  --documented-only          without the routes that only test/contract/interface.md part 2 has
  --seed-users <n>, --seed-organizations <n>   a big account in place of the demo account
  --account-token <key:org>, --api-key <key:org>   instead of new ones
`;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const SWITCHES = {
	port: text,
	dialect: text,
	latency: text,
	'page-cap': text,
	filter: text,
	'lag-ms': text,
	'lag-reads': text,
	'index-lag-ms': text,
	'patch-answers': text,
	'rate-limit': text,
	'random-seed': text,
	'documented-only': flag,
	'seed-users': text,
	'seed-organizations': text,
	'account-token': text,
	'api-key': text,
	help: flag,
	...Object.fromEntries(
		FAULT_KINDS.flatMap((kind) => [
			[`rate-${kind}`, text],
			[`${kind}-every`, text],
		]),
	),
};

/**
 * @param {Record<string, string | boolean>} values what parseArgs found
 * @returns {object} options of startService; what is not given is left out
 * @throws {Error} on a value that makes no sense
 */
function optionsOf(values) {
	const number = (name) => {
		if (values[name] === undefined) return undefined;
		const read = Number(values[name]);
		if (values[name] === '' || !(read >= 0)) throw new Error(`--${name} needs a number`);
		return read;
	};
	const oneOf = (name, allowed) => {
		if (values[name] !== undefined && !allowed.includes(values[name])) {
			throw new Error(`--${name} is one of ${allowed.join(', ')}`);
		}
		return values[name];
	};
	const options = {
		port: number('port'),
		dialect: oneOf('dialect', Object.keys(DIALECTS)),
		latencyMs: number('latency'),
		pageCap: number('page-cap'),
		filter: oneOf('filter', ['on', 'off', 'ignored']),
		lagMs: number('lag-ms'),
		lagReads: number('lag-reads'),
		indexLagMs: number('index-lag-ms'),
		patchAnswers: oneOf('patch-answers', ['body', '204', 'stale']),
		rateLimit: rateLimitOf(values['rate-limit']),
		randomSeed: number('random-seed'),
		documentedOnly: values['documented-only'],
		accountToken: values['account-token'],
		apiKeys: apiKeysOf(values['api-key']),
		faults: FAULT_KINDS.flatMap((kind) => [
			{ kind, rate: number(`rate-${kind}`) },
			{ kind, every: number(`${kind}-every`) },
		]).filter(({ rate, every }) => rate !== undefined || every !== undefined),
		seed: seedFor(number('seed-users'), number('seed-organizations')),
	};
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function rateLimitOf(value) {
	if (value === undefined) return undefined;
	const [, capacity, refillPerMinute] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
	if (capacity === undefined) throw new Error('--rate-limit needs <capacity>/<refill per minute>');
	return { capacity: Number(capacity), refillPerMinute: Number(refillPerMinute), costs: 'varied' };
}

function apiKeysOf(key) {
	return key === undefined ? undefined : { [key.slice(key.lastIndexOf(':') + 1)]: key };
}

function seedFor(users, organizations) {
	if (users === undefined && organizations === undefined) return undefined;
	return seedOf({ users, organizations });
}

async function main() {
	const { values } = parseArgs({ options: SWITCHES });
	if (values.help) {
		process.stdout.write(USAGE);
		return;
	}
	const service = await startService(optionsOf(values));
	const end = () => service.close().then(() => process.exit(0));
	process.once('SIGTERM', end);
	process.once('SIGINT', end);
	const { url, accountToken, apiKey } = service;
	process.stdout.write(`${JSON.stringify({ url, accountToken, apiKey, pid: process.pid })}\n`);
}

main().catch((error) => {
	process.stderr.write(`${error.message}\n\n${USAGE}`);
	process.exit(2);
});
