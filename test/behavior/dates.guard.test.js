'use strict';

const { Groups, email, play, rows, table, warningsIn } = require('../support/behavior');

// Columns that look like dates of employment: a list whose dates nothing reads gives access to people who start next year.

const on = () => new Groups({ ana: 'eng', ben: '' }, { groups: ['eng'] });
const OPERATIONS = {
	access: {
		...{ accessBy: 'group', scopeGroups: rows('eng'), preview: false, wantedFrom: 'json' },
		accessColumns: { attributes: 'title' },
	},
	user: {
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['userName'] },
		...{ preview: false, usersFrom: 'json' },
	},
};
/** Of each operation a list in which ana gets nothing new, and ben access or a title; all rows have these cells, too. */
const list = (resource, cells = {}, more = {}) => {
	const all = ['ana', 'ben'].map((name) => ({
		...{ userName: email(name), ...(resource === 'access' ? { group: 'eng' } : { title: 'X' }) },
		...cells,
	}));
	const json = JSON.stringify(all);
	return { ...OPERATIONS[resource], wantedJson: json, usersJson: json, ...more };
};

const BLOCKING = [
	...[
		'startDate',
		'start_date',
		'STARTDATE',
		'Start-Date',
		'startDay',
		'startOn',
		'endDate',
		'Ends-On',
	],
	...['ended_on', 'contractEndDate', 'Contract End Date', 'lastWorkingDay', 'last  working_day'],
	...[
		'last_day',
		'hiredOn',
		'hireDate',
		'joinedOn',
		'joinDate',
		'entryDate',
		'leaveDate',
		'leavesOn',
	],
	...['exitDate', 'terminationDate', 'validUntil', 'valid_from', 'validTo', 'validTill'],
	...['effectiveDate', 'effectiveFrom', 'endsEmploymentDate', 'lastEmployedOn'],
];
const PLAIN = [
	...[
		'contractor',
		'contractStart',
		'lastLogin',
		'lastUpdatedOn',
		'createdAt',
		'endpoint',
		'leaveType',
	],
	...[
		'startPage',
		'joinedBy',
		'validated',
		'start',
		'end',
		'date',
		'on',
		'birthDate',
		'startDateTime',
	],
	...['employmentStartDate', 'startEndLastDate', 'department', 'title'],
];

describe.each(['access', 'user'])('%s: Reconcile', (resource) => {
	const preview = async (cells, more) => {
		const fields = list(resource, cells, { preview: true, ...more });
		const [{ blockedBy }] = await play(on(), [resource, 'reconcile'], fields);
		return blockedBy;
	};
	const cellsOf = (names) => Object.fromEntries(names.map((name) => [name, '']));

	test.each(BLOCKING)('%s is asked about, with both ways out, beside the plan', async (name) => {
		const [reason, ...more] = await preview({ [name]: '2027-01-01' });
		expect(more).toStrictEqual([]);
		expect(reason).toContain(`${name}: this column looks like a date of employment`);
		expect(reason).toMatch(
			/under Dates as Starts On or Ends On, or enter it under Not Used as Dates/,
		);
		expect(await preview({ [name]: '' }, { dates: { notUsed: `x, ["${name}"]` } })).toStrictEqual(
			[],
		);
	});

	test('any others are not', async () => {
		expect(await preview(cellsOf(PLAIN))).toStrictEqual([]);
	});

	test('all are named at once', async () => {
		const [reason] = await preview(cellsOf([...PLAIN, ...BLOCKING]));
		expect(reason.split(': ')[0].split(', ')).toEqual(BLOCKING);
	});

	table(resource, 'reconcile', [
		{
			it: 'a run is an error, and nothing is sent',
			on,
			wish: list(resource, { startDate: '2027-01-01' }),
			fails: expect.arrayContaining([expect.stringContaining('startDate: this column looks like')]),
		},
		{
			it: 'a column that is sent as an attribute says when somebody works here all the same',
			on,
			wish: list(
				resource,
				{ 'urn:x:User': { startDate: '2027-01-01' }, startDate: '2027-01-01' },
				{ accessColumns: { attributes: 'startDate' } },
			),
			fails: expect.arrayContaining([expect.stringContaining('startDate: this column looks like')]),
		},
		{
			it: 'one that is not used as a date does not hold the list back',
			on,
			wish: list(resource, { startDate: '2027-01-01' }, { dates: { notUsed: 'STARTDATE' } }),
			...(resource === 'access'
				? { sends: ['PATCH eng'], ends: { ben: 'eng' } }
				: {
						sends: ['PATCH ana', 'PATCH ben'],
						sets: { ana: { title: 'X' }, ben: { title: 'X' } },
					}),
		},
	]);
});

const ODD = { status: 'Inactive', role: 'Clerk', group: 'eng', 'active?': 'no', isActive: 'no' };
test.each([
	['of HR are told to be unread', {}, ['status', 'role', 'group', 'active?', 'isActive']],
	['of an item of this node are not', { change: 'none', groupId: 'g' }, ['active?', 'isActive']],
])('user: Reconcile: status, role and group %s', async (_, more, unread) => {
	const fields = list('user', { ...ODD, ...more }, { preview: true });
	const [item] = await play(on(), ['user', 'reconcile'], fields);
	const [said] = warningsIn(item).filter((one) => one.startsWith('Columns that are not sent'));
	const named = said.match(/sent: (.*)\. Rename/)[1].split('; ');
	expect(named.map((one) => one.split(': did')[0])).toEqual(unread);
});

test('access: Reconcile: so is status, where users are created; role and group are read', async () => {
	const fields = list('access', { status: 'Inactive', role: 'Clerk' }, { createMissing: true });
	const [{ warnings = [] }] = await play(on(), ['access', 'reconcile'], fields);
	expect(warnings.join()).toContain('Columns that are not sent: status.');
});
