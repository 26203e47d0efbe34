import { attemptSync } from '../util';
import type { Decoded } from './types';

const LATIN_1 = /^(?:iso-?8859-1|latin-?1)$/i;
const UTF_8 = /^(?:utf-?8|us-ascii)$/i;

/**
 * Reads bytes in the charset that `Content-Type` names; JSON is UTF-8 (RFC 8259 section 8.1). Bytes that are no
 * text in it would become other names without a word.
 */
export function decode(bytes: Uint8Array, contentType: unknown): Decoded {
	const [, named = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(contentType)) ?? [];
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const text = attemptSync(() =>
		new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
	);
	const isKnown = UTF_8.test(named);
	const isLatin1 = LATIN_1.test(named);
	// Some frameworks name ISO-8859-1 by themselves and send UTF-8, which names in ISO-8859-1 never look like.
	if (text !== undefined && (isKnown || isLatin1)) return { text };
	if (isLatin1) return { text: buffer.toString('latin1') };
	const against = isKnown
		? 'bytes that are not UTF-8'
		: `the charset ${named}, which is not supported`;
	return { text: buffer.toString('utf8'), against };
}
