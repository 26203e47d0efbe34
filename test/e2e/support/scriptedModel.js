'use strict';

/** A chat model behind OpenAI's interface, whose answers are written down beforehand. */

const { createServer } = require('node:http');
const { onCleanup } = require('../../../demo/cleanup');

/**
 * In: what the model says, turn by turn: `{ tool, args }` for a call, or a function of the last tool's answer for the text.
 * Out: `{ url, tools, problems }`: where n8n finds it, what it was told of the tools, and what it was asked too much.
 */
async function startScriptedModel(turns) {
	const left = [...turns];
	const model = { tools: [], problems: [] };
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (piece) => (text += piece));
		request.on('end', () => {
			const { messages, tools = [], stream } = JSON.parse(text || '{"messages":[]}');
			model.tools = tools.map((tool) => tool.function);
			const turn = left.shift();
			if (turn === undefined) model.problems.push('It was asked once too often.');
			answer(response, messageOf(turn, messages.at(-1), left.length), stream === true);
		});
	});
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	onCleanup(() => server.close());
	return Object.assign(model, { url: `http://127.0.0.1:${server.address().port}/v1` });
}

function messageOf(turn, last, number) {
	if (typeof turn !== 'object') {
		return { role: 'assistant', content: turn?.(String(last?.content)) ?? 'Nothing more.' };
	}
	const call = { name: turn.tool, arguments: JSON.stringify(turn.args) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [{ id: `call_${number}`, index: 0, type: 'function', function: call }],
	};
}

function answer(response, message, streams) {
	const reason = message.tool_calls ? 'tool_calls' : 'stop';
	const common = { id: 'chatcmpl-1', created: 1, model: 'scripted' };
	const whole = { index: 0, finish_reason: reason };
	if (!streams) {
		response.setHeader('content-type', 'application/json');
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const choices = [{ ...whole, message }];
		response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
		return;
	}
	response.setHeader('content-type', 'text/event-stream');
	const chunk = { ...common, object: 'chat.completion.chunk' };
	response.write(
		`data: ${JSON.stringify({ ...chunk, choices: [{ ...whole, delta: message }] })}\n\n`,
	);
	response.end('data: [DONE]\n\n');
}

module.exports = { startScriptedModel };
