'use strict';

/** A chat model behind OpenAI's interface, for the agent of `examples/access-agent.json` where there is no other. */

const { createServer } = require('node:http');
const { onCleanup } = require('./cleanup');

/**
 * In: what the model says to a chat so far and the tools that it is told of: `{ tool, args }` for a call, or a text.
 * Out: its address, until the clean-up.
 */
async function startModel(reply) {
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (piece) => (text += piece));
		request.on('end', () => {
			const { messages = [], tools = [], stream } = JSON.parse(text || '{}');
			const said = reply(
				messages,
				tools.map((tool) => tool.function),
			);
			answer(response, messageOf(said, messages.length), stream === true);
		});
	});
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	onCleanup(() => server.close());
	return `http://127.0.0.1:${server.address().port}/v1`;
}

/** Looks up the access of the first email that it is given. */
function lookUp(messages) {
	const { role, content } = messages.at(-1) ?? {};
	if (role === 'tool') return `The tool says: ${content}`;
	const [email] = /[\w.+-]+@[\w.-]+\w/.exec(content) ?? [];
	if (email !== undefined) return { tool: 'Get_Access', args: { User: email } };
	return 'I stand in for a model. Ask for example: Which groups is ana.example@example.com in?';
}

function messageOf(said, number) {
	if (typeof said === 'string') return { role: 'assistant', content: said };
	const call = { name: said.tool, arguments: JSON.stringify(said.args) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [{ id: `call_${number}`, index: 0, type: 'function', function: call }],
	};
}

function answer(response, message, streams) {
	const reason = message.tool_calls ? 'tool_calls' : 'stop';
	const common = { id: 'chatcmpl-1', created: 1, model: 'stand-in' };
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

module.exports = { lookUp, startModel };
