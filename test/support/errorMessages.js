'use strict';

// The messages of errors that the code can throw, read from its source with the TypeScript compiler.

const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const ROOT = path.join(__dirname, '../..');

/** Where message and remedy stand among the arguments of a class of errors. */
const ARGUMENTS = {
	InputError: [0, 1],
	AbsentError: [0, 1],
	DateError: [0, 1],
	UnknownKeyError: [0, 1],
	RequestError: [0, 1],
	NodeOperationError: [1, 2],
};

/** What only the run knows. */
const UNKNOWN = '…';

/** Tables in the code: what is done about an answer, how broken connections are called, what became of an operation. */
const TABLE = /^(ADVICE.*|CLIENT_ADVICE|NETWORK_WORDS|REMOVED_OPERATIONS)$/;

/** What a table that is one text is for: the credential. */
const REFUSED = '401, 403';

const sources = () =>
	readdirSync(path.join(ROOT, 'nodes'), { recursive: true })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => path.join('nodes', name))
		.sort()
		.map((file) => {
			const text = readFileSync(path.join(ROOT, file), 'utf8');
			return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
		});

function nodesIn(node, found = []) {
	found.push(node);
	ts.forEachChild(node, (child) => void nodesIn(child, found));
	return found;
}

const declarationsIn = (scope) =>
	(scope.statements ?? []).flatMap((statement) => [
		...(statement.declarationList?.declarations ?? []),
		...(ts.isFunctionDeclaration(statement) ? [statement] : []),
	]);

/** What a name stands for where it is used: a constant or a function around it, or one that another file exports. */
function declarationOf(name, exported) {
	for (let scope = name.parent; scope !== undefined; scope = scope.parent) {
		const isOwn = (one) => one.name?.getText() === name.text;
		if (scope.parameters?.some(isOwn)) return undefined;
		const own = declarationsIn(scope).find(isOwn);
		if (own !== undefined) return own;
	}
	const isImported = name
		.getSourceFile()
		.statements.some(({ importClause }) =>
			importClause?.namedBindings?.elements?.some((one) => one.name.text === name.text),
		);
	return isImported ? exported.get(name.text) : undefined;
}

const knownOf = (texts) => {
	const known = texts.filter((text) => text !== UNKNOWN);
	return known.length > 0 ? known : [UNKNOWN];
};

/** The texts that an expression can be, e.g. two of `a ? 'x' : 'y'`. */
function textsOf(node, exported, within = []) {
	const of = (part, ...more) => textsOf(part, exported, [...within, ...more]);
	if (node === undefined) return [''];
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isParenthesizedExpression(node)) return of(node.expression);
	if (ts.isConditionalExpression(node)) return [...of(node.whenTrue), ...of(node.whenFalse)];
	if (ts.isTemplateExpression(node)) {
		return node.templateSpans.reduce(
			(texts, { expression, literal }) => {
				const parts = of(expression);
				// What may be left out is shown; the forms of several parts would be too many.
				const told = parts.filter((part) => part !== '');
				const forms = parts.includes('') ? [told[0] ?? UNKNOWN] : told;
				const shown = forms.length === 1 || texts.length === 1 ? forms : [UNKNOWN];
				return texts.flatMap((text) => shown.map((part) => text + part + literal.text));
			},
			[node.head.text],
		);
	}
	if (ts.isBinaryExpression(node)) {
		const [left, right] = [of(node.left), of(node.right)];
		const { kind } = node.operatorToken;
		if (kind === ts.SyntaxKind.PlusToken) {
			return left.flatMap((text) => right.map((more) => text + more));
		}
		// Of `advise() ?? 'x'` the text is the rule; of `names || 'none'` it is the exception.
		return kind === ts.SyntaxKind.QuestionQuestionToken ? knownOf([...left, ...right]) : [UNKNOWN];
	}
	if (ts.isObjectLiteralExpression(node)) {
		const isDescription = ({ name }) => name?.getText() === 'description';
		return of(node.properties.find(isDescription)?.initializer);
	}
	const isCall = ts.isCallExpression(node);
	const name = isCall ? node.expression : node;
	const declaration = ts.isIdentifier(name) ? declarationOf(name, exported) : undefined;
	if (within.includes(declaration)) return [UNKNOWN];
	if (isCall && declaration !== undefined && ts.isFunctionDeclaration(declaration)) {
		const returned = nodesIn(declaration).filter(ts.isReturnStatement);
		return knownOf(returned.flatMap(({ expression }) => of(expression, declaration)));
	}
	return !isCall && declaration !== undefined && ts.isVariableDeclaration(declaration)
		? of(declaration.initializer, declaration)
		: [UNKNOWN];
}

/** The parameter of the function around it that an argument is, by its index, and the name of that function. */
function parameterAt(node) {
	if (node === undefined || !ts.isIdentifier(node)) return undefined;
	for (let scope = node.parent; scope !== undefined; scope = scope.parent) {
		const index = scope.parameters?.findIndex((one) => one.name.getText() === node.text) ?? -1;
		if (index >= 0) return scope.name && { index, name: scope.name.getText() };
	}
	return undefined;
}

/** Message and remedy of an error, from where it is made or, if they are parameters there, from each call. */
function placesOf([message, remedy], calls, within = []) {
	const passed = parameterAt(message);
	if (passed === undefined || within.includes(passed.name)) return [[message, remedy]];
	const own = parameterAt(remedy);
	return (calls.get(passed.name) ?? []).flatMap((given) =>
		placesOf([given[passed.index], own?.name === passed.name ? given[own.index] : remedy], calls, [
			...within,
			passed.name,
		]),
	);
}

/** The arguments of all calls, by the name of what is called. */
function callsIn(files) {
	const calls = new Map();
	for (const node of files.flatMap((file) => nodesIn(file))) {
		if (!ts.isCallExpression(node)) continue;
		const name = (node.expression.name ?? node.expression).getText();
		calls.set(name, [...(calls.get(name) ?? []), node.arguments]);
	}
	return calls;
}

/**
 * What differs from run to run is "…".
 * @returns {{ file: string, table?: string, message: string, remedy: string }[]} in the order of the files; `table` where
 *   it is an entry of a table in the code, with its key as the message
 */
function errorMessages() {
	const files = sources();
	const exported = new Map(
		files.flatMap(declarationsIn).map((declaration) => [declaration.name.getText(), declaration]),
	);
	const calls = callsIn(files);
	const shown = (node) => textsOf(node, exported).map((text) => text.replace(/…+/g, UNKNOWN));
	return files.flatMap((file) =>
		nodesIn(file).flatMap((node) => {
			const place = { file: file.fileName };
			if (ts.isVariableDeclaration(node) && TABLE.test(node.name.getText())) {
				const table = node.name.getText();
				const entryOf = (message, text) => ({ ...place, table, message, remedy: shown(text)[0] });
				return ts.isObjectLiteralExpression(node.initializer)
					? node.initializer.properties.map((entry) => entryOf(entry.name.text, entry.initializer))
					: [entryOf(REFUSED, node.initializer)];
			}
			const at = ts.isNewExpression(node) && ARGUMENTS[node.expression.getText()];
			if (!at) return [];
			const given = at.map((index) => node.arguments[index]);
			return placesOf(given, calls).flatMap((one) => {
				const [messages, remedies] = one.map(shown);
				const remedy = remedies.filter((text) => ![UNKNOWN, ''].includes(text)).join(' / ');
				return messages
					.filter((text) => /\p{L}/u.test(text))
					.map((message) => ({ ...place, message, remedy }));
			});
		}),
	);
}

module.exports = { errorMessages };
