import { RequestError } from '../../../../nodes/shared/http';
import { Forms, type Form } from '../../../../nodes/shared/scim/client/forms';
import { attempt } from '../../../../nodes/shared/util';

// What is tried after which refusal, and what is kept for the run.

const ACTIVE = { active: false };
const NAME = { name: { givenName: 'Ana' } };
const TEXT = { title: 'Lead' };

const refusal = (status: number, errorType?: string) =>
	new RequestError(`${status}`, '', {
		...{ kind: 'http', method: 'PATCH', status, mayHaveWorked: status === 500 },
		...(errorType !== undefined && { errorType }),
	});

/** Sends these in turn to a service that answers by form, and gives the forms that left and what came out. */
async function play(
	forms: Forms,
	all: object[],
	answer: (form: string) => number | RequestError,
): Promise<string[]> {
	const log: string[] = [];
	for (const attributes of all) {
		const tried = await attempt(
			async () =>
				await forms.send(attributes as Record<string, unknown>, async (form: Form) => {
					const name = [...form].join('+') || 'usual';
					log.push(name);
					const given = answer(name);
					const error = typeof given === 'number' ? refusal(given) : given;
					if (error.status !== 200) throw error;
				}),
		);
		if (!tried.ok) log.push(`! ${(tried.error as Error).message}`);
	}
	return log;
}

it.each<[string, object[], (form: string) => number | RequestError, string[]]>([
	['what is taken has one form', [ACTIVE, NAME], () => 200, ['usual', 'usual']],
	[
		'a value that is no text goes without a path, from then on',
		[ACTIVE, ACTIVE],
		(form) => (form === 'usual' ? 501 : 200),
		['usual', 'withoutPath', 'withoutPath'],
	],
	[
		'text has a path, and PUT is next',
		[TEXT, TEXT],
		(form) => (form === 'usual' ? 501 : 200),
		['usual', 'wholeResource', 'wholeResource'],
	],
	[
		'a value that is no text goes without a path beside text, too',
		[{ ...ACTIVE, ...TEXT }],
		(form) => (form === 'usual' ? 501 : 200),
		['usual', 'withoutPath'],
	],
	[
		'what is removed has a path',
		[{ title: null }],
		(form) => (form === 'usual' ? 501 : 200),
		['usual', 'wholeResource'],
	],
	[
		'what is of no use is tried once',
		[ACTIVE, ACTIVE],
		() => 400,
		['usual', 'withoutPath', '! 400', 'usual', '! 400'],
	],
	[
		'405 says that there is no PATCH',
		[ACTIVE],
		(form) => (form === 'usual' ? 405 : 200),
		['usual', 'wholeResource'],
	],
	[
		'405 says so after a PATCH that was taken, too',
		[NAME, TEXT],
		(
			(answers) => () =>
				answers.shift() ?? 200
		)([200, 405]),
		['usual', 'usual', 'wholeResource'],
	],
	[
		'a PUT that is refused for what is in it says so, and has no other form',
		[TEXT, ACTIVE],
		(form) => (form === 'usual' ? 405 : 400),
		['usual', 'wholeResource', '! 400', 'usual', 'wholeResource', '! 400'],
	],
	[
		'501 after a PATCH that was taken is about this one',
		[NAME, TEXT],
		(
			(answers) => () =>
				answers.shift() ?? 501
		)([200]),
		['usual', 'usual', '! 501'],
	],
	[
		'501 that names what is wrong, too',
		[TEXT],
		() => refusal(501, 'invalidPath'),
		['usual', '! 501'],
	],
	[
		'501 that names what is wrong, of what can go without a path',
		[ACTIVE],
		(form) => (form === 'usual' ? refusal(501, 'invalidPath') : 200),
		['usual', 'withoutPath'],
	],
	[
		'what another form is refused with for its own reason says nothing',
		[ACTIVE, ACTIVE],
		(form) => (form === 'usual' ? 400 : 403),
		['usual', 'withoutPath', '! 400', 'usual', 'withoutPath', '! 400'],
	],
	['403 is no matter of form', [ACTIVE], () => 403, ['usual', '! 403']],
	[
		'what may have worked is not hidden by what was refused before',
		[ACTIVE],
		(form) => (form === 'usual' ? 400 : 500),
		['usual', 'withoutPath', '! 500'],
	],
])('%s', async (_, all, answer, log) => {
	expect(await play(new Forms(false), all, answer)).toEqual(log);
});

it('where forms are known, no other one is tried', async () => {
	const forms = new Forms(true);
	expect(await play(forms, [ACTIVE], () => 405)).toEqual(['usual', '! 405']);
	expect(forms.afterNoEffect(ACTIVE)).toBeUndefined();
});

it('what was taken and is not seen is tried in another form by one, then by all', () => {
	const forms = new Forms(false);
	for (const one of [TEXT, { emails: [] }, { 'urn:example:hr': { team: 'A' } }])
		expect(forms.afterNoEffect(one)).toBeUndefined();
	expect(forms.afterNoEffect(ACTIVE)).toBe('withoutPath');
	expect(forms.afterNoEffect({ ...NAME, ...TEXT })).toBe('wholeAttributes');
	expect([forms.takesTrial('wholeAttributes'), forms.takesTrial('wholeAttributes')]).toEqual([
		true,
		false,
	]);
	forms.ended('wholeAttributes', true);
	expect([forms.takesTrial('wholeAttributes'), forms.afterNoEffect(NAME)]).toEqual([
		true,
		undefined,
	]);
	expect(forms.takesTrial('withoutPath')).toBe(true);
	forms.ended('withoutPath', false);
	expect([forms.takesTrial('withoutPath'), forms.afterNoEffect(ACTIVE)]).toEqual([
		false,
		undefined,
	]);
});

it('a whole resource is tried last, where nothing that was sent has changed anything', () => {
	const forms = new Forms(false);
	expect([forms.afterNoEffect(TEXT), forms.afterNoEffect(TEXT, true)]).toEqual([
		undefined,
		'wholeResource',
	]);
	expect([forms.afterNoEffect(ACTIVE, true), forms.afterNoEffect(ACTIVE, true, true)]).toEqual([
		'withoutPath',
		'wholeResource',
	]);
	expect(forms.afterNoEffect(NAME, false, true)).toBeUndefined();
	expect(forms.afterNoEffect({ 'emails[type eq "work"].value': 'x' }, true)).toBeUndefined();
	forms.noteEffect();
	expect(forms.afterNoEffect(TEXT, true)).toBeUndefined();
});

it('a rename that has failed is tried without a path, and once', () => {
	const forms = new Forms(false);
	const rename = { userName: 'ana' };
	expect([forms.afterNoEffect(rename), forms.afterFailure(rename)]).toEqual([
		undefined,
		'nothingByPath',
	]);
	expect(forms.afterFailure(ACTIVE)).toBeUndefined();
	forms.ended('nothingByPath', false);
	expect(forms.afterFailure(rename)).toBeUndefined();
	expect(new Forms(true).afterFailure(rename)).toBeUndefined();
});

it('what comes of another form leaves a trial under way', () => {
	const forms = new Forms(false);
	expect(forms.takesTrial('wholeAttributes')).toBe(true);
	forms.ended('withoutPath', false);
	expect(forms.takesTrial('wholeAttributes')).toBe(false);
});

it('a trial leaves in its form beside what is in use, and alone', async () => {
	const forms = new Forms(false);
	await play(forms, [ACTIVE], (form) => (form === 'usual' ? 501 : 200));
	const send = async (form: Form) => await Promise.resolve([...form]);
	expect(await forms.send(NAME, send, 'wholeAttributes')).toEqual([
		'withoutPath',
		'wholeAttributes',
	]);
	expect(await forms.send(NAME, send)).toEqual(['withoutPath']);
});

it('of a whole resource there is one form', async () => {
	const forms = new Forms(false);
	await play(forms, [TEXT], (form) => (form === 'usual' ? 405 : 200));
	expect(await play(forms, [ACTIVE], () => 400)).toEqual(['wholeResource', '! 400']);
});
