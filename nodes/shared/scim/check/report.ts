import type { Finding, Setting } from './findings';
import type { Sighting } from './stage';

/** What the report tells. */
export interface Told {
	baseUrl: string;
	findings: readonly Finding[];
	settings: readonly Setting[];
	sightings: readonly Sighting[];
	notes: readonly string[];
	warnings: readonly string[];
}

const cell = (text: string) => text.replace(/\s+/g, ' ').replace(/[|\\`*_<>[\]]/g, '\\$&');
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (heads: readonly string[], rows: ReadonlyArray<readonly string[]>) =>
	[row(heads), row(heads.map(() => '---')), ...rows.map((cells) => row(cells.map(cell)))].join(
		'\n',
	);
const list = (heading: string, lines: readonly string[]) =>
	lines.length === 0 ? [] : [`## ${heading}`, lines.map((line) => `- ${line}`).join('\n')];

/** The check in Markdown, for the people who run the service. */
export function reportOf({
	baseUrl,
	findings,
	settings,
	sightings,
	notes,
	warnings,
}: Told): string {
	const exchanges = sightings.map(
		({ step, request, answer }) =>
			`**${step}**\n\n${[request, answer].map((text) => `    ${text.replace(/\n/g, '\n    ')}`).join('\n')}`,
	);
	return [
		`# SCIM check of ${baseUrl}`,
		'Test users and test groups were created, changed and removed again. Every request and answer below concerns these alone.',
		...list('Warnings', warnings),
		'## Settings for the credential',
		table(
			['Field', 'Value', 'Because of'],
			settings.map(({ field, value, source }) => [field, value, source]),
		),
		'## What is known of the service',
		table(
			['Trait', 'Value', 'Evidence', 'Source'],
			findings.map(({ trait, value, evidence, source }) => [trait, value, evidence, source]),
		),
		'## What was seen',
		table(
			['Step', 'Seen', 'Shown after (ms)'],
			sightings.map(({ step, saw, delayMs }) => [step, saw, String(delayMs ?? '')]),
		),
		...list('What the service says of itself', notes),
		'## Requests and answers',
		...exchanges,
	].join('\n\n');
}
