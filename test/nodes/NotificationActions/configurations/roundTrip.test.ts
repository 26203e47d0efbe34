import {
	lossesIn,
	numbersIn,
} from '../../../../nodes/NotificationActions/configurations/configuration';

// That all that is let through is kept, in any text, is in test/property/monitors.

const told = (text: string) =>
	[...lossesIn(text)].map(({ error: { message } }) => message.split(', so ')[0]);
const places = (text: string) => [...lossesIn(text)].map(({ place }) => place);

it.each([
	...['0', '-0', '-0.0', '0e5', '0.000', '1', '1.0', '10', '-1.50', '0.10', '2.50E-1'],
	...['1e2', '1E+2', '100e-2', '1e20', '123456789012345680000', '0.1', '0.30000000000000004'],
	...['9007199254740991', '-9007199254740991', '9007199254740992', '9007199254740994'],
	...['5e-324', '1.7976931348623157e308', '1.7976931348623157e+308', '0.00001e5'],
	`0.${'0'.repeat(30)}1`,
	`1${'0'.repeat(22)}`,
	`1.${'0'.repeat(1000)}`,
])('the number %s is kept', (literal) => {
	expect(told(`{"x":${literal}}`)).toStrictEqual([]);
});

it.each([
	['9007199254740993', '9007199254740992'],
	['-9007199254740993', '-9007199254740992'],
	['12345678901234567890', '12345678901234567000'],
	['12345678901234567890.0', '12345678901234567000'],
	['1.2345678901234567890e19', '12345678901234567000'],
	['0.12345678901234567890', '0.12345678901234568'],
	['0.1000000000000000055511151231257827', '0.1'],
	['0.70000000000000000001', '0.7'],
	['1e400', 'null'],
	['-1e400', 'null'],
	['1e99999999999999999999', 'null'],
	['1e-400', '0'],
	['-1e-400', '0'],
	['2e-324', '0'],
	['3e-324', '5e-324'],
	['4.9406564584124654e-324', '5e-324'],
])('the number %s would become %s', (literal, written) => {
	expect(told(`[${literal}]`)).toEqual([
		`The number ${literal} at [0] would be written as ${written}`,
	]);
});

it.each([
	['{"monitors":[{},{},{},{"a":1,"threshold":1e400}]}', 'monitors[3].threshold'],
	['[1,[2,{"a b":[[],1e400]}]]', '[1][1]["a b"][1]'],
	['{"a":{"b":{}},"c":1e400}', 'c'],
	['{ "a" : [ "x,]}\\"" , { "b:" : "\\\\" } , 1e400 ] }', 'a[2]'],
	['{"":1e400}', '[""]'],
	['1e400', ''],
	['{"a":1,"b":{"a":1},"a":2}', 'a'],
	['{"m":[{"a":1},{"a":1,"\\u0061":2}]}', 'm[1].a'],
	['{"m":{"__proto__":{}}}', 'm.__proto__'],
	['{"m":{"__pro\\u0074o__":1}}', 'm.__proto__'],
])('in %s the place is %s', (text, place) => {
	expect(places(text)).toEqual([place]);
});

it('a name may come again in another object, and a value may be any text', () => {
	expect(
		told(
			'{"a":[{"a":"__proto__"},{"a":["a","a","9007199254740993"]}],"constructor":1,"toString":2}',
		),
	).toStrictEqual([]);
});

it('a name is told once for each time that it comes again', () => {
	expect(told('{"a":1,"a":2,"b":3,"a":4,"__proto__":5}')).toEqual([
		...['a', 'a'].map((name) => `The key ${name} at ${name} is there twice`),
		'The key __proto__ at __proto__ cannot be kept',
	]);
});

it('deep values do not exhaust the stack', () => {
	const deep = '[{"a":'.repeat(50_000) + '1e400' + '}]'.repeat(50_000);
	expect(told(deep)).toHaveLength(1);
});

it('long names, numbers and strings take no time, and little room in a message', () => {
	const [zeros, slashes] = ['0'.repeat(1_000_000), '\\\\'.repeat(500_000)];
	const text = `{"${slashes}":"${'\\"'.repeat(500_000)}","x":1${zeros}1,"y":0.${zeros}1}`;
	expect(told(text)).toEqual([
		`The number 1${zeros.slice(0, 49)}… at x would be written as null`,
		`The number 0.${zeros.slice(0, 48)}… at y would be written as 0`,
	]);
	expect(told(`{"${slashes}":1e400}`)[0].length).toBeLessThan(200);
});

it('the numbers of a document have places', () => {
	const document = { monitors: [{ id: '7', 'a b': [1, null, { x: -2 }] }], y: 10n, z: Number.NaN };
	expect([...numbersIn(document)]).toEqual([
		['monitors[0]["a b"][0]', 1],
		['monitors[0]["a b"][2].x', -2],
		['y', 10n],
		['z', Number.NaN],
	]);
});
