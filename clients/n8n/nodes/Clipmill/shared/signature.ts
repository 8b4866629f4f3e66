import { createHmac, timingSafeEqual } from 'crypto';

/** Messages that are older than this, or newer, are rejected. */
const TOLERANCE_SECONDS = 300;

export interface SignedHeaders {
	[name: string]: string | string[] | undefined;
}

/**
 * Checks a message of Standard Webhooks. Returns the reason why it is not genuine, or undefined if it is.
 * `body` must have the bytes that were received: JSON that was parsed and serialized again differs.
 */
export function signatureError(
	secret: string,
	headers: SignedHeaders,
	body: Buffer,
	now = Date.now() / 1000,
): string | undefined {
	const id = headers['webhook-id'];
	const timestamp = headers['webhook-timestamp'];
	const signatures = headers['webhook-signature'];
	if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
		return 'The headers webhook-id, webhook-timestamp and webhook-signature are required.';
	}
	if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) {
		return 'The message is too old, or a clock is wrong.';
	}
	const key = Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64');
	if (key.length === 0) return 'The signing secret of the credential is not valid.';
	const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
	const genuine = signatures.split(' ').some((signature) => {
		const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
		return signature.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
	});
	return genuine ? undefined : 'The message is not signed with the signing secret of the credential.';
}
