'use strict';

const { Alerting } = require('./alerting');
const { Directory } = require('./directory');
const { Visibility } = require('./visibility');

/** Everything the service knows. Tests may look at it and change it between requests. */
class State {
	/**
	 * @param {object} seed see state/seed.js
	 * @param {{ lagMs?: number, lagReads?: number, indexLagMs?: number, now: () => number }} options
	 * @throws {Error} when the seed names a person or an organization that it does not have
	 */
	constructor(seed, { lagMs, lagReads, indexLagMs, now }) {
		this.organizations = seed.organizations;
		this.account = seed.account ?? seed.organizations[0].id;
		this.directory = new Directory(seed.organizations, seed.foreignUsers ?? [], now);
		this.alerting = new Alerting(now, { lagMs, lagReads });
		this.visibility = new Visibility({ lagMs, lagReads, indexLagMs }, now);
		this.plantPeople(seed);
		this.plantAlerting(seed);
	}

	plantPeople({ users = [], memberships = [] }) {
		for (const { userName, active, ...attributes } of users) {
			this.directory.create(userName, attributes, active);
		}
		for (const { userName, organization, role } of memberships) {
			const user = this.directory.byName(userName);
			if (!user || !this.organization(organization)) {
				throw new Error(`The seed has no ${userName} or no ${organization}`);
			}
			this.directory.setRole(user.id, organization, role);
		}
		this.directory.mailsSent.length = 0;
	}

	plantAlerting({ models = [], configurations = [], actions = [] }) {
		for (const { id } of this.organizations) this.alerting.addOrganization(id);
		for (const { organization, ...model } of models) {
			this.alerting.models.get(organization).set(model.id, model);
		}
		for (const { organization, ...action } of actions) {
			this.alerting.putAction(organization, action);
		}
		for (const { organization, model, document } of configurations) {
			this.alerting.storeConfiguration(organization, model, document);
		}
	}

	/** @returns {object | undefined} */
	organization(id) {
		return this.organizations.find((organization) => organization.id === id);
	}

	/** E-mails the service would have sent: `{ to, userId, organizationId, role, at }`. */
	get mailsSent() {
		return this.directory.mailsSent;
	}

	/** Test notifications that were asked for: `{ organizationId, actionId, at }`. */
	get testsSent() {
		return this.alerting.testsSent;
	}

	/** @returns {object | undefined} the stored user `{ id, email, userName, active, attributes }` */
	userByName(userName) {
		return this.directory.byName(userName);
	}

	/**
	 * @param {string} userName
	 * @param {string} organizationId
	 * @returns {string | undefined} the role held there
	 */
	roleOf(userName, organizationId) {
		const user = this.directory.byName(userName);
		return user && this.directory.roleOf(user.id, organizationId);
	}

	/** @returns {string | undefined} the stored text, every literal as it was written */
	configurationText(organizationId, modelId) {
		return this.alerting.configurationText(organizationId, modelId);
	}

	/** The other writer: stores a document (text or object) as it is, without check or metadata. */
	storeConfiguration(organizationId, modelId, document) {
		this.alerting.storeConfiguration(organizationId, modelId, document);
	}

	/** People x organizations, as GET /__table shows them. */
	table() {
		const { tables } = this.directory;
		return {
			organizations: this.organizations.map(({ id, name }) => ({ id, name })),
			people: [...tables.users.values()].map(({ id, userName, active }) => ({
				userName,
				active,
				roles: Object.fromEntries(tables.rolesOf(id)),
			})),
		};
	}

	/** @returns {() => void} puts everything back as it is now */
	remember() {
		const tables = this.directory.tables.copy();
		const mailsSent = [...this.directory.mailsSent];
		const restoreAlerting = this.alerting.remember();
		return () => {
			Object.assign(this.directory, { tables, mailsSent });
			restoreAlerting();
		};
	}
}

module.exports = { State };
