import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

/** What to do about errors whose message does not say it. */
const ADVICE: { [code: string]: string } = {
	'40100': 'Check the API key in the credential.',
	'40101': 'Enter another API key in the credential: this one was revoked or has expired.',
	'40200': 'Get points from the operator of the service, or request less.',
	'40201': 'Raise Max Points, or request less.',
	'40300': 'Use an API key with the missing scope.',
	'40301': 'Contact the operator of the service.',
	'40400': 'Check the number. It must belong to the user of the API key.',
	'40900': 'Use another ID for a different request, or send the same request again.',
	'40902': 'Wait until older files expire, or ask the operator of the service for more storage.',
	'42901': 'Wait until some tasks end, or cancel some.',
	'42904': 'Wait until some batches end, or cancel some.',
	'42905': 'Wait: only the last hour counts.',
};

export interface ApiResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** The error of a response, including responses of proxies without the envelope of the API. */
export function apiError(node: INode, response: ApiResponse, itemIndex?: number): NodeApiError {
	const body = isObject(response.body) ? response.body : {};
	const code = typeof body.code === 'number' ? body.code : response.statusCode * 100;
	const message =
		typeof body.msg === 'string' && body.msg !== ''
			? // The details of the error in n8n list them.
				body.msg.replace(/; all in data\.errors$/, '')
			: `The service responded with HTTP status ${response.statusCode}. Check the Base URL of the credential.`;
	const data = isObject(body.data) ? body.data : {};
	const description = [...fieldErrors(data), ADVICE[code] ?? '', requestId(response)].filter(Boolean).join('\n');
	const error = new NodeApiError(node, { message, code: String(code) } as JsonObject, {
		message,
		description,
		httpCode: String(response.statusCode),
		itemIndex,
	});
	error.context.data = { code, ...data };
	return error;
}

/** One line for each field that the API rejected, with its path. */
function fieldErrors(data: IDataObject): string[] {
	const errors = Array.isArray(data.errors) ? data.errors.filter(isObject) : [];
	return errors.map((field) => {
		const row = typeof field.row === 'number' ? `row ${field.row}, ` : '';
		const allowed = field.allowed === undefined || field.allowed === null ? '' : ` (allowed: ${text(field.allowed)})`;
		return `${row}${text(field.path)}: ${text(field.message)}${allowed}`;
	});
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function requestId(response: ApiResponse): string {
	const id = response.headers['x-request-id'];
	return typeof id === 'string' ? `Request ID: ${id}` : '';
}
