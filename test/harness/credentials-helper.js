'use strict';

const { getAdditionalKeys } = require('./core');
const { ICredentialsHelper, NodeHelpers, deepCopy, isExpression } = require('n8n-workflow');

/** The fields of n8n's own OAuth2 API that other types inherit, as far as they matter to client credentials. */
const OAUTH2_FIELDS = ['accessTokenUrl', 'clientId', 'clientSecret', 'scope', 'authentication'].map(
	(name) => ({
		displayName: name,
		name,
		type: 'string',
		default: name === 'authentication' ? 'header' : '',
	}),
);

/** What n8n's server does for the core: finds credentials, fills in defaults, signs requests. */
class TestCredentialsHelper extends ICredentialsHelper {
	/**
	 * @param credentialTypes instances of the credential classes
	 * @param store the data a user has entered, by credential type name
	 */
	constructor(credentialTypes = [], store = {}) {
		super();
		this.types = new Map(credentialTypes.map((type) => [type.name, type]));
		this.store = store;
		for (const name of Object.keys(store)) this.getType(name);
	}

	getType(name) {
		const type = this.types.get(name);
		if (!type) {
			throw new Error(`Credential type "${name}" is not among the credentialTypes of this test`);
		}
		return type;
	}

	getParentTypes(name) {
		return this.types.get(name)?.extends ?? [];
	}

	getCredentialsProperties(name) {
		const { properties } = this.getType(name);
		if (!this.getParentTypes(name).includes('oAuth2Api')) return properties;
		const own = new Set(properties.map((property) => property.name));
		return [...OAUTH2_FIELDS.filter((field) => !own.has(field.name)), ...properties];
	}

	isCredentialUsableByNode() {
		return true;
	}

	/** Entered data plus the defaults of the credential type, expressions resolved. */
	applyDefaults(data, typeName, { additionalData, mode, executeData, context }) {
		const properties = this.getCredentialsProperties(typeName);
		const complete = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
		if (data.oauthTokenData !== undefined) complete.oauthTokenData = data.oauthTokenData;
		if (!context) return complete;
		return context.workflow.expression.getParameterValue(
			complete,
			context.runExecutionData,
			context.runIndex,
			context.itemIndex,
			context.node.name,
			context.connectionInputData,
			mode,
			getAdditionalKeys(additionalData, mode, null, { isCredential: true }),
			executeData,
			false,
			complete,
		);
	}

	async getDecrypted(additionalData, _nodeCredentials, typeName, mode, executeData, raw, context) {
		const data = this.store[typeName];
		if (!data) throw new Error(`This test has no credential data of type "${typeName}"`);
		if (raw) return deepCopy(data);
		const circumstances = { additionalData, mode, executeData, context };
		return this.applyDefaults(deepCopy(data), typeName, circumstances);
	}

	async authenticate(credentials, typeName, requestOptions, workflow, node) {
		const { authenticate } = this.getType(typeName);
		if (typeof authenticate === 'function') return await authenticate(credentials, requestOptions);
		if (!authenticate) return requestOptions;

		// As n8n does, the caller's object is the one that gets the headers, secrets included.
		requestOptions.headers ??= {};
		for (const [name, value] of Object.entries(authenticate.properties.headers)) {
			requestOptions.headers[name] = resolveForRequest(value, credentials, workflow, node);
		}
		return requestOptions;
	}

	async preAuthentication() {
		return undefined;
	}

	async getCredentials() {
		throw new Error('The test harness keeps no stored credentials');
	}

	async updateCredentials() {}

	async runPreAuthentication() {
		return undefined;
	}

	async updateCredentialsOauthTokenData(_nodeCredentials, typeName, { oauthTokenData }) {
		this.store[typeName].oauthTokenData = deepCopy(oauthTokenData);
	}
}

/** Whatever an expression gives goes out as text; what is empty goes out as the empty string. */
function resolveForRequest(text, $credentials, workflow, node) {
	if (!isExpression(text)) return text;
	const value = workflow.expression.getSimpleParameterValue(
		node,
		text,
		'internal',
		{ $credentials },
		undefined,
		'',
	);
	return value ? String(value) : '';
}

module.exports = { TestCredentialsHelper };
