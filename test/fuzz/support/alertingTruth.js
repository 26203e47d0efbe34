'use strict';

const { Refusal } = require('../../../demo/service/answer');
const { actions } = require('../../../demo/service/notification/actions');
const { monitorConfig } = require('../../../demo/service/notification/monitorConfig');
const { State } = require('../../../demo/service/state/state');
const { defaultSeed } = require('../../../demo/service/state/seed');

const ORGANIZATION = 'org-3454';
/** The service stands below a path of its host. */
const PREFIX = '/api';

/** The notification side of the demo's service, without sockets. */
class AlertingTruth {
	/** @param {{ documentedOnly: boolean, merges: boolean }} switches */
	constructor(switches, now) {
		this.state = new State(defaultSeed(), { now });
		this.switches = switches;
		const service = { state: this.state, options: switches };
		this.actions = actions(service);
		this.config = monitorConfig(service);
		this.routes = this.makeRoutes();
	}

	makeRoutes() {
		const { documentedOnly, merges } = this.switches;
		const all = `/v0/notification-settings/([^/]+)/actions`;
		const models = `/v0/organizations/([^/]+)/models`;
		const config = `${models}/([^/]+)/monitor-config/v3`;
		const { actions: action, config: configuration } = this;
		const documented = [
			['GET', all, ['org'], action.list],
			['PUT', `${all}/([^/]+)/([^/]+)`, ['org', 'kind', 'id'], action.put],
			['GET', config, ['org', 'model'], configuration.get],
			['PUT', config, ['org', 'model'], configuration.put],
		];
		const more = [
			['GET', `${all}/([^/]+)`, ['org', 'id'], action.get],
			['DELETE', `${all}/([^/]+)`, ['org', 'id'], action.delete],
			['PUT', `${all}/([^/]+)/enable`, ['org', 'id'], action.enable],
			['PUT', `${all}/([^/]+)/disable`, ['org', 'id'], action.disable],
			['POST', `${all}/([^/]+)/test`, ['org', 'id'], action.test],
			['GET', models, ['org'], configuration.models],
		];
		const merge = ['PATCH', config, ['org', 'model'], configuration.patch];
		const missing = [['PUT', `${all}/([^/]+)/(?:enable|disable)`, [], () => ({ status: 404 })]];
		const routes = [
			...(documentedOnly ? missing : more),
			...(merges && !documentedOnly ? [merge] : []),
			...documented,
		];
		return routes.map(([method, path, names, handle]) => ({
			method,
			path: new RegExp(`^${PREFIX}${path}$`),
			names,
			handle,
		}));
	}

	carryOut({ method, url, body }) {
		const { alerting } = this.state;
		for (const route of this.routes) {
			const found = route.path.exec(url.pathname);
			if (route.method !== method || found === null) continue;
			const params = Object.fromEntries(
				route.names.map((name, at) => [name, decodeURIComponent(found[at + 1])]),
			);
			if (params.org !== undefined && params.org !== ORGANIZATION)
				return { status: 403, text: '{"message":"not yours"}' };
			const exchange = { text: body ?? '', value: parsed(body), tick: alerting.tick };
			try {
				return route.handle({ params, exchange, headers: { 'x-api-key': 'someone.x' } });
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				return error.answer;
			}
		}
		return { status: 404, text: '{"message":"Not Found"}' };
	}

	/** The monitors of a model by id, each with the targets of its actions; undefined for no such model. */
	monitors(model) {
		const document = this.document(model);
		return document === undefined
			? undefined
			: new Map(
					document.monitors.map(({ id, actions: list }) => [
						id,
						(list ?? []).map(({ target }) => target),
					]),
				);
	}

	document(model) {
		if (!this.state.alerting.models.get(ORGANIZATION).has(model)) return undefined;
		const text = this.state.configurationText(ORGANIZATION, model);
		return text === undefined ? { monitors: [], analyzers: [] } : JSON.parse(text);
	}

	models() {
		return [...this.state.alerting.models.get(ORGANIZATION).keys()];
	}

	action(id) {
		return this.state.alerting.action(ORGANIZATION, id);
	}
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

module.exports = { AlertingTruth, ORGANIZATION };
