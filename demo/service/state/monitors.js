'use strict';

const { ExactNumber } = require('../exactJson');

const exact = (text) => new ExactNumber(text);
const metadata = (version, author = 'system') => ({
	schemaVersion: 1,
	author,
	updatedTimestamp: 1717000000000 + version * 3_600_000,
	version,
});
const global = (...targets) => targets.map((target) => ({ type: 'global', target }));

const CADENCE = { type: 'fixed', cadence: 'daily' };
const EVERYWHERE = { segments: [{ tags: [] }], type: 'column', include: ['*'] };

/** What the thirty monitors watch: [topic, metric, kind of configuration]. */
const WATCHED = [
	['missing-values', 'count_null_ratio', 'stddev'],
	['unique-values', 'unique_est_ratio', 'stddev'],
	['numeric-drift', 'histogram', 'drift'],
	['category-drift', 'frequent_items', 'drift'],
	['data-type', 'inferred_data_type', 'comparison'],
];
const SLICES = [
	'checkout-page',
	'newsletter',
	'mobile-app',
	'affiliates',
	'search-ads',
	'all-traffic',
];

function analyzer(id, metric, type, version) {
	const settings = {
		stddev: { factor: exact('1.96'), minBatchSize: 1 },
		drift: { algorithm: 'hellinger', threshold: exact('0.70') },
		comparison: { operator: 'eq' },
	}[type];
	return {
		id,
		schedule: CADENCE,
		targetMatrix: EVERYWHERE,
		backfillGracePeriodDuration: 'P30D',
		config: { metric, type, ...settings, baseline: { type: 'TrailingWindow', size: 14 } },
		metadata: metadata(version),
	};
}

/** Monitor i of the big configuration: with and without each optional field. */
function monitor(i, analyzerId, topic, slice) {
	const attached = [
		global('email'),
		global('oncall-pager', 'email'),
		[],
		global('marketing-chat'),
		[],
	];
	return {
		id: `${slice}-${topic}-monitor`,
		...(i % 4 === 0 ? { displayName: `${topic} on ${slice}`.replaceAll('-', ' ') } : {}),
		...(i % 3 === 0 ? { tags: [slice, 'churn'] } : {}),
		analyzerIds: [analyzerId],
		schedule: i % 5 === 0 ? { type: 'immediate' } : CADENCE,
		...(i % 6 === 5 ? {} : { severity: (i % 4) + 1 }),
		mode:
			i % 2 === 0
				? { type: 'DIGEST', filter: { minAlertCount: 2 } }
				: { type: 'EVERY_ANOMALY', filter: { minWeight: exact('0.50') } },
		...(i % 7 === 3 ? { disabled: true } : {}),
		actions: attached[i % 5],
		metadata: metadata((i % 9) + 1),
	};
}

/** About thirty monitors, literals that a careless client changes, fields that are not documented. */
function churnConfiguration() {
	const analyzers = [];
	const monitors = [];
	for (const slice of SLICES) {
		for (const [topic, metric, type] of WATCHED) {
			const i = monitors.length;
			const analyzerId = `${slice}-${topic}-analyzer`;
			analyzers.push(analyzer(analyzerId, metric, type, (i % 5) + 1));
			monitors.push(monitor(i, analyzerId, topic, slice));
		}
	}
	return {
		orgId: 'org-3454',
		datasetId: 'model-1',
		granularity: 'daily',
		allowPartialTargetBatches: true,
		metadata: metadata(57),
		entitySchema: {
			columns: {
				10: { discreteness: 'discrete', dataType: 'string', classifier: 'input' },
				monthly_spend: { discreteness: 'continuous', dataType: 'fractional', classifier: 'input' },
				churned: { discreteness: 'discrete', dataType: 'bool', classifier: 'output' },
			},
		},
		weightConfig: {
			defaultWeights: { monthly_spend: exact('1.0'), tenure_days: exact('2.50E-1') },
			'x-import-id': exact('1234567890123456'),
		},
		analyzers,
		monitors,
	};
}

function smallConfiguration(orgId, datasetId, granularity, monitors) {
	return {
		orgId,
		datasetId,
		granularity,
		metadata: metadata(monitors.length + 3),
		analyzers: monitors.map(({ analyzerIds: [id] }, i) => {
			const [, metric, type] = WATCHED[i % WATCHED.length];
			return analyzer(id, metric, type, 1);
		}),
		monitors,
	};
}

const plainMonitor = (name, more) => ({
	id: `${name}-monitor`,
	analyzerIds: [`${name}-analyzer`],
	schedule: CADENCE,
	mode: { type: 'DIGEST' },
	actions: [],
	...more,
	metadata: metadata(1),
});

const models = [
	{ organization: 'org-3454', id: 'model-1', name: 'Churn prediction', granularity: 'daily' },
	{ organization: 'org-3454', id: 'model-2', name: 'Campaign uplift', granularity: 'weekly' },
	{ organization: 'org-3454', id: 'model-3', name: 'Lead scoring (new)', granularity: 'daily' },
	{ organization: 'org-7788', id: 'model-1', name: 'Protein embeddings', granularity: 'daily' },
	{ organization: 'org-7788', id: 'model-2', name: 'Survey classifier', granularity: 'monthly' },
	{ organization: 'org-9120', id: 'model-1', name: 'Incident forecast', granularity: 'hourly' },
	{ organization: 'org-9120', id: 'model-2', name: 'Capacity planning', granularity: 'daily' },
];

/** Functions, not values: each start of the service gets documents of its own. */
const configurations = () => [
	{ organization: 'org-3454', model: 'model-1', document: churnConfiguration() },
	{
		organization: 'org-3454',
		model: 'model-2',
		document: smallConfiguration('org-3454', 'model-2', 'weekly', [
			plainMonitor('uplift-drift', { severity: 2, actions: global('email') }),
			plainMonitor('uplift-volume', { severity: 4, tags: ['volume'] }),
			plainMonitor('uplift-schema', {}),
		]),
	},
	{
		organization: 'org-7788',
		model: 'model-1',
		document: smallConfiguration('org-7788', 'model-1', 'daily', [
			plainMonitor('embedding-drift', { severity: 1, actions: global('research-mail') }),
			plainMonitor('embedding-nulls', { severity: 3 }),
		]),
	},
	{
		organization: 'org-9120',
		model: 'model-1',
		document: smallConfiguration('org-9120', 'model-1', 'hourly', [
			plainMonitor('incident-count', {
				severity: 1,
				tags: ['oncall'],
				actions: global('ops-pager', 'email'),
			}),
			plainMonitor('incident-delay', {
				severity: 2,
				tags: ['oncall'],
				actions: global('ops-chat'),
			}),
			plainMonitor('incident-labels', { severity: 4, disabled: true }),
			plainMonitor('incident-schema', { displayName: 'Schema of the feed' }),
		]),
	},
];

// Addresses under example.com: nothing is ever sent to them.
const actions = [
	{
		organization: 'org-3454',
		id: 'oncall-pager',
		type: 'PAGER_DUTY',
		payload: { pagerDutyKey: 'demo-service-key-3454' },
	},
	{
		organization: 'org-3454',
		id: 'marketing-chat',
		type: 'SLACK',
		payload: { slackWebhook: 'https://chat.example.com/services/T0/B0/demo' },
	},
	{
		organization: 'org-3454',
		id: 'marketing-mail',
		type: 'EMAIL',
		payload: { email: 'marketing-alerts@example.com' },
	},
	{
		organization: 'org-3454',
		id: 'old-hook',
		type: 'WEBHOOK',
		enabled: false,
		payload: { url: 'https://hooks.example.com/old', method: 'POST', headers: {}, body: '{}' },
	},
	{
		organization: 'org-7788',
		id: 'research-mail',
		type: 'EMAIL',
		payload: { email: 'research-alerts@example.com' },
	},
	{
		organization: 'org-9120',
		id: 'ops-pager',
		type: 'PAGER_DUTY',
		payload: { pagerDutyKey: 'demo-service-key-9120' },
	},
	{
		organization: 'org-9120',
		id: 'ops-chat',
		type: 'TEAMS',
		payload: { webhook: 'https://teams.example.com/webhook/demo' },
	},
];

module.exports = { models, configurations, actions };
