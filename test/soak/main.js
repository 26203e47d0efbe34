'use strict';

// 200 nights on an account of 5,000 people: npm run soak. SEED, NIGHTS and PEOPLE may be given.

const { randomInt } = require('node:crypto');
const { secondsTaken, sleep } = require('./clock');
const { MemoryService } = require('../support/memoryService');
const { chanceOf } = require('./chance');
const { playNight } = require('./night');
const { serviceFor } = require('./services');
const { Truth } = require('./truth');

const { SEED = randomInt(1e6), NIGHTS = 200, PEOPLE = 5000 } = process.env;
const [seed, nights, people] = [SEED, NIGHTS, PEOPLE].map(Number);
/** From here on, memory may not grow by more than a tenth. */
const WARM = 20;
/** What two runs at once leave for a moment is no growth: of so many nights in the end, the least counts. */
const LAST = 4;

/** The local service, whose answers take their time. */
class SlowService extends MemoryService {
	async pause() {
		await sleep(5 + this.random() * 40);
	}

	/** Pushes back where the night has a limit (trouble). */
	async exchange(request) {
		const headers = this.limit?.refusal(Date.now());
		if (headers === undefined) return await super.exchange(request);
		await this.pause();
		return { status: 429, headers, text: 'Too Many Requests' };
	}
}

function worldOf() {
	const [name, kind] = serviceFor(seed);
	const [hr, hand, luck] = [1, 2, 3].map((number) => chanceOf(seed * 10 + number));
	const truth = new Truth(kind, people, hr);
	const { users, members } = truth.seed();
	const service = new SlowService(
		{ ...kind.seed, users },
		{ ...kind.switches, keepsStates: false, now: Date.now, seed },
	);
	for (const [group, ids] of members) service.groups.set(group, ids);
	const { userNames } = service.switches;
	for (const { id, email, ...user } of userNames === 'shown' ? service.users.values() : [])
		if (hr.isHit(0.05) && email.endsWith('@example.com'))
			service.store({ ...user, id, email, userName: `shown.${id}@example.com` });
	return { name, kind, truth, service, open: new Set(), chances: { hand, luck } };
}

async function heapInMegabytes() {
	await new Promise(setImmediate);
	globalThis.gc();
	return process.memoryUsage().heapUsed / 2 ** 20;
}

async function main() {
	const world = worldOf();
	console.log(`SEED=${seed} NIGHTS=${nights} PEOPLE=${people}, ${world.name}`);
	const sums = { requests: 0, told: 0, repaired: 0 };
	const survived = {};
	const heap = {};
	for (let night = 1; night <= nights; night++) {
		const played = await playNight(night, world);
		sums.requests += played.requests;
		sums.told += played.told;
		sums.repaired += played.repaired;
		for (const [kind, times] of played.fired) survived[kind] = (survived[kind] ?? 0) + times;
		if (played.wrong.length > 0) {
			console.error(`Violation: SEED=${seed}, night ${night} (${played.trouble})`);
			for (const words of played.wrong.slice(0, 20)) console.error(`- ${words}`);
			process.exit(1);
		}
		if (night === WARM || night > nights - LAST) heap[night] = await heapInMegabytes();
		if (night % WARM === 0) console.log(`night ${night}: ${sums.requests} requests`);
	}
	console.log({ nights, ...sums, seconds: secondsTaken(), survived, heap });
	const least = Math.min(...Object.values(heap).slice(-LAST));
	if (least > 1.1 * heap[WARM]) {
		console.error(`Violation: SEED=${seed}, the heap grew from night ${WARM} to night ${nights}`);
		process.exit(1);
	}
}

void main();
