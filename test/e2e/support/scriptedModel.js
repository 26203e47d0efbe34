'use strict';

const { startModel } = require('../../../demo/model');

/**
 * In: what the model says, turn by turn: `{ tool, args }` for a call, or a function of the last tool's answer for the text.
 * Out: `{ url, tools, problems }`: where n8n finds it, what it was told of the tools, and what it was asked too much.
 */
async function startScriptedModel(turns) {
	const left = [...turns];
	const model = { tools: [], problems: [] };
	const url = await startModel((messages, tools) => {
		model.tools = tools;
		const turn = left.shift();
		if (turn === undefined) model.problems.push('It was asked once too often.');
		return typeof turn === 'object'
			? turn
			: (turn?.(String(messages.at(-1)?.content)) ?? 'Nothing more.');
	});
	return Object.assign(model, { url });
}

module.exports = { startScriptedModel };
