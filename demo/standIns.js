'use strict';

/**
 * What the examples use of n8n's own nodes, which are not among the development dependencies: as much of each as the
 * examples need. The package's nodes, expressions, branches and waiting are n8n's own.
 *
 * Each takes n8n's execution context, its parameters for an item, and what an execution shares with the outside.
 */

const NEVER = new Date('3000-01-01');

const jsonOf = (items) => items.map((json, item) => ({ json, pairedItem: { item } }));
/** The examples compare nothing: each condition is an expression that is true or false. */
const holds = ({ conditions: { conditions } }) =>
	conditions.every(({ leftValue }) => leftValue === true);
const passOn = (context) => [context.getInputData()];
/** How a data table compares texts. */
const COMPARES = {
	eq: (cell, value) => cell === value,
	gte: (cell, value) => cell !== null && cell >= value,
	lte: (cell, value) => cell !== null && cell <= value,
};

const STAND_INS = {
	scheduleTrigger: passOn,
	manualTrigger: passOn,
	webhook: (_, { seen }) => [jsonOf([seen.request])],

	code(context, { parameters }) {
		const valueOf = (code) => context.evaluateExpression(`{{ ${code} }}`, 0);
		const rows = new Function('$today', '$', parameters(0).jsCode);
		const of = (name) => ({ all: () => valueOf(`$('${name}').all()`) });
		return [jsonOf(rows(valueOf('$today'), of))];
	},

	dataTable(context, { parameters, seen }) {
		const tableAt = (index) => seen.tables.get(parameters(index).dataTableId.value);
		const rowsAt = (index) =>
			tableAt(index).filter((row) =>
				(parameters(index).filters?.conditions ?? []).every(
					({ keyName, condition = 'eq', keyValue }) => COMPARES[condition](row[keyName], keyValue),
				),
			);
		const written = ({ json }, index) => {
			const { operation, columns } = parameters(index);
			const cells = columns.mappingMode === 'autoMapInputData' ? json : columns.value;
			const known = operation === 'upsert' ? rowsAt(index) : [];
			if (known.length === 0) tableAt(index).push({ ...cells });
			return known.length === 0 ? [cells] : known.map((row) => Object.assign(row, cells));
		};
		const isRead = parameters(0).operation === 'get';
		const rows = isRead ? rowsAt(0) : context.getInputData().flatMap(written);
		return [jsonOf(rows.map((row) => ({ ...row })))];
	},

	set(context, { parameters }) {
		const rowOf = (index) =>
			parameters(index).assignments.assignments.map(({ name, value }) => [name, value]);
		return [jsonOf(context.getInputData().map((_, index) => Object.fromEntries(rowOf(index))))];
	},

	filter: (context, given) => STAND_INS.if(context, given).slice(0, 1),

	splitOut(context, { parameters }) {
		return [
			context.getInputData().flatMap(({ json }, item) =>
				json[parameters(item).fieldToSplitOut].map((part) => ({
					json: part,
					pairedItem: { item },
				})),
			),
		];
	},

	if(context, { parameters }) {
		const outputs = [[], []];
		context.getInputData().forEach((item, index) => {
			outputs[holds(parameters(index)) ? 0 : 1].push({ ...item, pairedItem: { item: index } });
		});
		return outputs;
	},

	switch(context, { parameters }) {
		const items = context.getInputData();
		const outputs = parameters(0).rules.values.map(() => []);
		items.forEach((item, index) => {
			const { rules, options } = parameters(index);
			const matching = [...rules.values.keys()].filter((at) => holds(rules.values[at]));
			for (const at of options.allMatchingOutputs ? matching : matching.slice(0, 1)) {
				outputs[at].push({ ...item, pairedItem: { item: index } });
			}
		});
		return outputs;
	},

	merge(context, { parameters }) {
		const {
			mode,
			joinMode,
			fieldsToMatchString: same,
			mergeByFields,
			numberInputs,
		} = parameters(0);
		const inputs = Array.from({ length: numberInputs || INPUTS.merge }, (_, input) =>
			context
				.getInputData(input)
				.map((item, index) => ({ ...item, pairedItem: { item: index, input } })),
		);
		if (mode !== 'combine') return [inputs.flat()];
		const [{ field1, field2 }] = mergeByFields?.values ?? [{ field1: same, field2: same }];
		const joined = inputs[0].map((item) => {
			const value = item.json[field1];
			const others = inputs[1].filter(({ json }) => json[field2] === value);
			const isAlone = value === undefined || others.length === 0;
			if (isAlone) return joinMode === 'enrichInput1' ? [item] : [];
			return others.map(({ json }) => ({ ...item, json: { ...item.json, ...json } }));
		});
		return [joined.flat()];
	},

	async wait(context, { parameters, seen }) {
		seen.form = parameters(0).formDescription;
		await context.putExecutionToWait(NEVER);
		return passOn(context);
	},

	respondToWebhook(context, { parameters, seen }) {
		const [{ json }] = context.getInputData();
		seen.answer = { status: parameters(0).options.responseCode, body: json };
		return passOn(context);
	},

	stopAndError(context, { parameters }) {
		throw new Error(parameters(0).errorMessage);
	},
};

const INPUTS = { merge: 2 };
const OUTPUTS = { if: 2, switch: 2 };

/** In: the nodes of one type in a workflow; `seen` as below. Out: the type that stands in for n8n's own. */
function standInFor(nodes, seen) {
	const name = nodes[0].type.replace(/.*\./, '');
	const fields = [...new Set(nodes.flatMap(({ parameters }) => Object.keys(parameters)))];
	return {
		description: {
			displayName: name,
			name,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name },
			inputs: Array(nodes[0].parameters.numberInputs ?? INPUTS[name] ?? 1).fill('main'),
			// Rows that took one way only are all that there is.
			requiredInputs: 1,
			outputs: Array(OUTPUTS[name] ?? 1).fill('main'),
			// n8n drops values that a node has no field for.
			properties: fields.map((field) => ({
				displayName: field,
				name: field,
				type: 'string',
				default: '',
			})),
		},
		async execute() {
			const parameters = (index) =>
				Object.fromEntries(fields.map((field) => [field, this.getNodeParameter(field, index)]));
			if (!STAND_INS[name]) throw new Error(`Nothing stands in for the node ${name} here.`);
			return await STAND_INS[name](this, { parameters, seen });
		},
	};
}

module.exports = { standInFor };
