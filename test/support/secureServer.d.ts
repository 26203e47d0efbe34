/**
 * An https server on loopback with a self-signed certificate, for as long as `work` takes.
 * @param work gets the address and the requests that came, as `METHOD path`
 */
export function withSecureServer(
	body: object,
	work: (url: string, requests: readonly string[]) => Promise<void>,
): Promise<void>;
