import type { Endpoint, ServiceRequest } from './send';

interface Refusal {
	status: number;
	scimType?: string;
	request: ServiceRequest;
	endpoint: Endpoint;
	retryAfterMs?: number;
}

/**
 * What to do about an HTTP answer: by scimType (RFC 7644 table 9) where that says more, else by status and method.
 */
export function adviceFor(refusal: Refusal): string {
	const { status, scimType = '', request, retryAfterMs } = refusal;
	const known = Object.hasOwn(ADVICE_BY_SCIM_TYPE, scimType);
	if (known && status < 500) return ADVICE_BY_SCIM_TYPE[scimType];
	if (status === 401 || status === 403) return refusal.endpoint.credentialAdvice;
	if (status === 429 && retryAfterMs !== undefined) {
		return `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds. Raise Max Wait under Options, or run again later.`;
	}
	const lost = request.method === 'GET' ? '' : ' The request may have worked all the same.';
	if (status >= 500 && status !== 501) {
		return `The service did not manage. It was tried again where that is harmless; run again later.${lost}`;
	}
	const own = refusal.endpoint.advice?.[status];
	return own ?? ADVICE_BY_STATUS[status]?.[request.method] ?? ADVICE_BY_STATUS[status]?.ANY ?? '';
}

const ADVICE_BY_SCIM_TYPE: Readonly<Record<string, string>> = {
	invalidFilter:
		'The service does not support this filter. Use userName eq "…", or leave the filter empty.',
	uniqueness:
		'A resource with this value exists already. Use Create or Update, or set If User Exists to return it.',
	mutability:
		'The service does not allow this to be changed. Account organizations make their three groups per organization themselves: add members to those.',
	tooMany: 'The service finds too many results. Use a filter or a smaller page size.',
	noTarget: 'The service does not have the attribute that the path names.',
	invalidPath: 'The service does not know the attribute that the path names.',
	sensitive:
		'The service does not accept personal values in the address of a request. List instead of filtering.',
};

const ADVICE_BY_STATUS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
	400: { ANY: 'The service does not accept a value that was sent. Check the fields of this item.' },
	404: {
		GET: 'Check the ID. If everything is not found, check the Base URL and where the /scim prefix goes.',
		ANY: 'It may have been deleted meanwhile. Check the ID, the Base URL and where the /scim prefix goes.',
	},
	405: { ANY: 'The service does not offer this operation.' },
	409: { ANY: 'It exists already. Use Create or Update, or set If User Exists to return it.' },
	412: { ANY: 'Somebody else changed it meanwhile. Run again.' },
	413: { ANY: 'The request is too large for the service. Lower Members per Request.' },
	415: { ANY: 'The service does not accept the media type of SCIM. Check the Base URL.' },
	429: {
		ANY: 'The service receives too many requests. Raise Max Wait under Options, lower Concurrency, or run again later.',
	},
	501: { ANY: 'The service does not offer this operation.' },
};
