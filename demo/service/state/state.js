'use strict';

const { ScimService } = require('../scim/service');
const { ACCOUNT } = require('../scim/switches');
const { Alerting } = require('./alerting');

/** Everything the service knows. Tests may look at it and change it between requests. */
class State {
	/**
	 * @param {object} seed see state/seed.js
	 * @param {Partial<typeof import('../scim/switches').DEFAULTS>} switches of its SCIM side, beside those of the account
	 * @throws {Error} when the seed names a person or an organization that it does not have
	 */
	constructor(seed, switches) {
		this.organizations = seed.organizations;
		this.account = seed.account ?? seed.organizations[0]?.id;
		this.directory = new ScimService(seed, { ...ACCOUNT, ...switches });
		this.alerting = new Alerting(this.directory.switches);
		this.plantAlerting(seed);
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
		const { directory } = this;
		return {
			organizations: this.organizations.map(({ id, name }) => ({ id, name })),
			people: [...directory.users.values()].map(({ id, userName, active }) => ({
				userName,
				active,
				roles: Object.fromEntries(directory.rolesOf(id)),
			})),
		};
	}

	/** @returns {() => void} puts everything back as it is now */
	remember() {
		const restore = [this.directory.remember(), this.alerting.remember()];
		return () => restore.forEach((undo) => undo());
	}
}

module.exports = { State };
