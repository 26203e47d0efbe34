/**
 * An https server on loopback with a self-signed certificate, for as long as `work` takes.
 * @param work gets the address and the requests that came, as `METHOD path`
 */
export function withSecureServer(
	body: object,
	work: (url: string, requests: readonly string[]) => Promise<void>,
): Promise<void>;

/**
 * A server on loopback that no https request reaches, for as long as `work` takes.
 * @param kind `http` does not speak https, `oldTls` speaks versions of it that are too old
 */
export function withUnreachedServer(
	kind: 'http' | 'oldTls',
	work: (url: string) => Promise<void>,
): Promise<void>;
