import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, sleep } from 'n8n-workflow';
import { apiError, isObject, type ApiResponse } from './errors';

export type Caller = IExecuteFunctions | ILoadOptionsFunctions;

export interface ApiRequest {
	method?: IHttpRequestMethods;
	/** Path below `/open-api/v1`. */
	path: string;
	qs?: IDataObject;
	body?: IDataObject;
	/** Opens the file to send; called again for each attempt. */
	file?: () => Promise<{ body: IHttpRequestOptions['body']; headers: IDataObject }>;
	itemIndex?: number;
	/** Attempts if the service is busy or unreachable. Every call of this package can be repeated safely. */
	attempts?: number;
}

const ATTEMPTS = 4;
/** Errors of busy services: too many calls of the key, or of this kind. Others with status 429 last too long to wait. */
const BUSY = [42900, 42903];
/** The longest pause that a service can request. */
const MAX_PAUSE_SECONDS = 60;
/** The largest page of a list. */
export const PAGE_SIZE = 100;

export async function baseUrl(this: Caller): Promise<string> {
	const credentials = await this.getCredentials('clipmillApi');
	return String(credentials.baseUrl).trim().replace(/\/+$/, '');
}

/** Calls the API and returns `data` of its response. Retries while the service is busy, restarting or unreachable. */
export async function apiRequest(this: Caller, request: ApiRequest): Promise<IDataObject> {
	const url = `${await baseUrl.call(this)}/open-api/v1${request.path}`;
	const attempts = request.attempts ?? ATTEMPTS;
	for (let attempt = 1; ; attempt += 1) {
		const response = await send.call(this, url, request);
		if (response instanceof NodeApiError) {
			if (attempt >= attempts) throw response;
			await sleep(2 ** (attempt - 1) * 1000);
			continue;
		}
		if (response.statusCode === 200 && isObject(response.body) && response.body.code === 0) {
			return isObject(response.body.data) ? response.body.data : {};
		}
		if (attempt >= attempts || !isTemporary(response)) {
			throw apiError(this.getNode(), response, request.itemIndex);
		}
		await sleep(pauseSeconds(response, attempt) * 1000);
	}
}

/** Follows the pages of a list up to `limit` entries. `key` names the number of an entry, which no two entries share. */
export async function apiRequestAll(
	this: Caller,
	request: ApiRequest & { key: string; limit?: number },
): Promise<IDataObject[]> {
	const limit = request.limit ?? Number.POSITIVE_INFINITY;
	// New entries move older ones to the next page, which then has some of them again.
	const entries = new Map<unknown, IDataObject>();
	for (let pageNo = 1; ; pageNo += 1) {
		// Pages of one list have the same size.
		const pageSize = Math.min(PAGE_SIZE, limit);
		const page = await apiRequest.call(this, { ...request, qs: { ...request.qs, pageNo, pageSize } });
		const list = Array.isArray(page.list) ? (page.list as IDataObject[]) : [];
		for (const entry of list) if (entries.size < limit) entries.set(entry[request.key], entry);
		if (list.length < pageSize || entries.size >= limit) return [...entries.values()];
	}
}

/** Sends a request once. Returns a NodeApiError, instead of throwing it, if there was no response. */
async function send(this: Caller, url: string, request: ApiRequest): Promise<ApiResponse | NodeApiError> {
	const options: IHttpRequestOptions = {
		method: request.method ?? 'GET',
		url,
		qs: request.qs,
		headers: { Accept: 'application/json' },
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Redirects would be followed with the key. A body that is streamed could not be sent twice.
		disableFollowRedirect: true,
	};
	if (request.file) {
		const file = await request.file();
		options.headers = { ...options.headers, ...file.headers };
		options.body = file.body;
	} else if (request.body) {
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
		options.body = request.body;
	}
	try {
		return (await this.helpers.httpRequestWithAuthentication.call(this, 'clipmillApi', options)) as ApiResponse;
	} catch (error) {
		return new NodeApiError(this.getNode(), { message: (error as Error).message } as JsonObject, {
			message: `No response from the clipmill service at ${new URL(url).origin}`,
			description: `${(error as Error).message}\nCheck that the service is running, and the Base URL of the credential.`,
			itemIndex: request.itemIndex,
		});
	}
}

function isTemporary(response: ApiResponse): boolean {
	if (response.statusCode === 429) {
		return isObject(response.body) && BUSY.includes(Number(response.body.code));
	}
	return response.statusCode >= 500;
}

function pauseSeconds(response: ApiResponse, attempt: number): number {
	const requested = Number(response.headers['retry-after'] ?? Number.NaN);
	const pause = Number.isFinite(requested) ? Math.max(requested, 0.2) : 2 ** (attempt - 1);
	return Math.min(pause, MAX_PAUSE_SECONDS);
}
