'use strict';

/**
 * The people of the demo account, one per line: email | given name | family name | roles | flags.
 * Roles name the organization by its first letter (H the account, M, R, O) and the role by its first.
 */
const LINES = `
margaret.osei@example.com | Margaret | Osei | H:a M:a R:a O:a |
tobias.lindqvist@example.com | Tobias | Lindqvist | H:a R:a |
priya.raghunathan@example.com | Priya | Raghunathan | M:a |
joão.gonçalves@example.com | João | Gonçalves | M:a R:v |
o'neil+x@example.com | Shaun | O'Neil | M:m |
łukasz.żółw@example.com | Łukasz | Żółw | R:m |
mei-ling.chen@example.com | Mei-Ling | Chen | R:a M:v |
田中.花子@example.com | 花子 | 田中 | M:m R:m |
ahmed.el-sayed@example.com | Ahmed | El-Sayed | M:m O:v |
Siobhan.Murphy@Example.com | Siobhán | Murphy | M:v |
dmitri.volkov@example.com | Dmitri | Volkov | R:m |
fatima.zahra.benali@example.com | Fatima Zahra | Benali | M:m R:m |
hans-peter.müller@example.com | Hans-Peter | Müller | R:v |
grace.nakamura@example.com | Grace | Nakamura | M:v R:v O:v |
kwame.boateng@example.com | Kwame | Boateng | O:m |
ingrid.solberg@ops.example.com | Ingrid | Solberg | O:m |
rafael.ortiz@ops.example.com | Rafael | Ortiz | O:m |
yara.haddad@ops.example.com | Yara | Haddad | O:v |
niamh.byrne@ops.example.com | Niamh | Byrne | O:v |
victor.hugo.santos@ops.example.com | Victor Hugo | Santos | O:a | inactive
anders.berg@example.com | Anders | Berg | | inactive
beatriz.costa@example.com | Beatriz | Costa | | inactive
chidi.okafor@example.com | Chidi | Okafor | | inactive
danielle.dubois@example.com | Danielle | Dubois | | inactive
emil.novak@example.com | Emil | Novák | |
farah.rahimi@example.com | Farah | Rahimi | |
george.papadopoulos@example.com | George | Papadopoulos | |
hannah.levi@example.com | Hannah | Levi | |
ivan.petrov+alerts@example.com | Ivan | Petrov | R:v |
julia.van.der.berg@example.com | Julia | van der Berg | M:m |
kofi.annan.mensah@example.com | Kofi | Mensah | M:m |
leila.hosseini@example.com | Leila | Hosseini | M:v R:m |
mateo.fernandez@example.com | Mateo | Fernández | R:m |
nora.eriksen@example.com | Nora | Eriksen | R:v |
oluwaseun.adebayo@example.com | Oluwaseun | Adebayo | M:m |
paul.smith@example.com | Paul | Smith | M:m |
paul.smith2@example.com | Paul | Smith | R:m |
contractor.one@partner.example.org | Quentin | Roux | M:v |
contractor.two@partner.example.org | Rosa | Klein | M:m |
svc-provisioning_bot@example.com | Provisioning | Bot | M:v |
`;

const ORGANIZATIONS = { H: 'org-acct1', M: 'org-3454', R: 'org-7788', O: 'org-9120' };
const ROLES = { a: 'admin', m: 'member', v: 'viewer' };

const rows = LINES.trim()
	.split('\n')
	.map((line) => line.split('|').map((cell) => cell.trim()));

const users = rows.map(([userName, givenName, familyName, , flags], i) => ({
	userName,
	active: flags !== 'inactive',
	name: { givenName, familyName },
	externalId: `hr-${String(1001 + i)}`,
}));

const memberships = rows.flatMap(([userName, , , roles]) =>
	roles
		.split(' ')
		.filter(Boolean)
		.map((held) => ({
			userName,
			organization: ORGANIZATIONS[held[0]],
			role: ROLES[held[2]],
		})),
);

module.exports = { users, memberships };
