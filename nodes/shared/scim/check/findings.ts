import { PRESETS, type ProfileName, PROFILES } from '../protocol/presets';
import type { ServiceProfile } from '../protocol/service';
import { type Override, type Traits, TRAITS } from '../protocol/traits';
import type { Capabilities } from '../client/capabilities';
import type { Exchange } from './exchanges';
import { JUDGED } from './judge';
import type { Sighting } from './stage';

type Evidence = 'seen' | 'documented' | 'assumed';

/** What is known of one trait of the service, and how. */
export interface Finding extends Partial<Exchange> {
	trait: string;
	value: string;
	evidence: Evidence;
	/** The steps that showed it, or where it is documented; empty where it is assumed. */
	source: string;
	/** Whether it is to be entered in the credential. */
	isSetting: boolean;
}

/** A field of the credential, with what to enter. */
export interface Setting {
	field: string;
	value: string;
	source: string;
}

/** Fields of traits that are no overrides. */
const FIELDS: Partial<Record<keyof Traits, string>> = {
	prefix: 'SCIM Prefix',
	readsPerMinute: 'Reads per Minute',
	writesPerMinute: 'Writes per Minute',
	requiredAttributes: 'Required attributes of a user',
	entriesPerPage: 'Longest page',
	listsTakeOptions: 'Lists take options',
	addMovesWithinOrganization: 'Adding moves within organization',
	inactiveRefusesGroupChanges: 'Inactive users refuse group changes',
	membersByFilter: 'Memberships by filter',
};

const PREFIXES = {
	everyRequest: 'Every Request',
	collectionsOnly: 'Collections Only',
	nowhere: 'None (Base URL is the SCIM root)',
};

const NAMES = Object.keys(TRAITS) as Array<keyof Traits>;

/**
 * What the sightings say of each trait, else what is documented, else what is assumed.
 * @param profile as the credential has it
 * @param base the service profile that fits the service
 * @param required attributes that `/Schemas` requires of a user
 */
export function findingsOf(
	sightings: readonly Sighting[],
	profile: ServiceProfile,
	base: ProfileName,
	required: readonly string[],
): Finding[] {
	const { name: preset, traits } = PRESETS[base];
	const ofPreset: Partial<Record<keyof Traits, unknown>> = traits;
	const documented = { ...(required.length > 0 && { requiredAttributes: required }), ...ofPreset };
	return NAMES.map((trait): Finding => {
		const { steps = [], value: judge } = JUDGED[trait] ?? {};
		const looked = steps.map((step) => sightings.find((one) => one.step === step));
		const seen: unknown = judge?.(...looked.map((sighting) => sighting?.saw));
		const name = fieldOf(trait);
		if (seen === undefined) {
			const evidence = documented[trait] === undefined ? 'assumed' : 'documented';
			const value = worded(trait, documented[trait] ?? profile[trait]);
			const page = trait in ofPreset ? `Service Profile ${preset}` : '/Schemas';
			const source = evidence === 'assumed' ? '' : page;
			return { trait: name, value, evidence, source, isSetting: false };
		}
		const telling = looked.slice(0, 2).flatMap((sighting) => sighting ?? []);
		return {
			trait: name,
			value: worded(trait, seen),
			evidence: 'seen',
			source: telling.map(({ step }) => step).join(', '),
			request: telling.map(({ request }) => request).join('\n'),
			answer: telling.map(({ answer }) => answer).join('\n'),
			isSetting:
				seen !== PROFILES[base][trait] && (trait === 'prefix' || overrideOf(trait) !== undefined),
		};
	});
}

/** What to enter in the credential: only what was seen, or belongs to the service profile that fits. */
export function settingsOf(
	findings: readonly Finding[],
	base: ProfileName,
	{ groupPattern, groupPatternOn }: Capabilities['recommended'],
): Setting[] {
	const { name, description } = PRESETS[base];
	const source = 'Names of the groups';
	const on = groupPatternOn === 'id' ? 'ID' : 'Display Name';
	const pattern = [
		{ field: 'Groups Stand For', value: 'Organization and Role', source },
		{ field: 'Pattern', value: String(groupPattern), source },
		{ field: 'Pattern Applies To', value: on, source },
	];
	const seen = findings
		.filter(({ isSetting }) => isSetting)
		.map((finding) => ({ field: finding.trait, value: finding.value, source: finding.source }));
	const isPrefix = ({ field }: Setting) => field === FIELDS.prefix;
	const overrides = seen.filter((setting) => !isPrefix(setting));
	return [
		{ field: 'Service Profile', value: name, source: description },
		...(groupPattern === undefined ? [] : pattern),
		...seen.filter(isPrefix),
		...(overrides.length === 0
			? []
			: [{ field: 'Override Profile', value: 'On', source: 'For the fields below' }]),
		...overrides,
	];
}

function overrideOf(trait: keyof Traits): Override<unknown> | undefined {
	return TRAITS[trait].override as Override<unknown> | undefined;
}

function fieldOf(trait: keyof Traits): string {
	return overrideOf(trait)?.field.displayName ?? FIELDS[trait] ?? trait;
}

/** A value as the credential shows it. */
function worded(trait: keyof Traits, value: unknown): string {
	if (trait === 'prefix') return PREFIXES[value as keyof typeof PREFIXES];
	if (value === undefined) return 'Not known';
	if (Array.isArray(value)) return value.join(', ') || 'none';
	if (value === Number.POSITIVE_INFINITY || value === 0) return 'No limit known';
	const chosen = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
	const options = overrideOf(trait)?.field.options ?? [];
	const option = options.find((one) => 'value' in one && one.value === chosen);
	return option?.name ?? (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value));
}
