import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { apiError, type ApiResponse } from '../../shared/errors';
import { apiRequest, baseUrl } from '../../shared/transport';
import { numberParameter } from '../parameters';

export async function executeFile(
	this: IExecuteFunctions,
	operation: string,
	i: number,
): Promise<INodeExecutionData[]> {
	return operation === 'upload' ? await upload.call(this, i) : await download.call(this, i);
}

async function upload(this: IExecuteFunctions, i: number): Promise<INodeExecutionData[]> {
	const field = this.getNodeParameter('binaryPropertyName', i) as string;
	const binary = this.helpers.assertBinaryData(i, field);
	const fileName = (this.getNodeParameter('fileName', i, '') as string) || binary.fileName;
	const json = await apiRequest.call(this, {
		method: 'POST',
		path: '/uploads',
		qs: fileName ? { fileName } : {},
		itemIndex: i,
		file: async () => {
			const { body, size } = await openBinary.call(this, i, field, binary);
			return { body, headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': size } };
		},
	});
	return [{ json, pairedItem: { item: i } }];
}

/** The content of a binary field: a stream of stored files, which can be larger than the memory. */
async function openBinary(
	this: IExecuteFunctions,
	i: number,
	field: string,
	binary: IBinaryData,
): Promise<{ body: IHttpRequestOptions['body']; size: number }> {
	if (binary.id) {
		const { fileSize } = await this.helpers.getBinaryMetadata(binary.id);
		const stream = await this.helpers.getBinaryStream(binary.id);
		return { body: stream as unknown as IHttpRequestOptions['body'], size: fileSize };
	}
	const body = await this.helpers.getBinaryDataBuffer(i, field);
	return { body, size: body.length };
}

async function download(this: IExecuteFunctions, i: number): Promise<INodeExecutionData[]> {
	const taskNo = numberParameter.call(this, 'taskNo', i);
	const task = await apiRequest.call(this, { path: `/video-process/status/${taskNo}`, itemIndex: i });
	const cover = this.getNodeParameter('content', i) === 'cover';
	const link = cover ? 'coverUrl' : 'url';
	const field = this.getNodeParameter('outputField', i) as string;
	const selected = select.call(this, task, i);
	const results: INodeExecutionData[] = [];
	for (const item of selected) {
		const url = item[link];
		if (typeof url !== 'string') {
			// Only a video that was asked for by its number must exist.
			if (this.getNodeParameter('selection', i) === 'all') continue;
			const reason = (item.error as IDataObject | null)?.message ?? String(item.statusName);
			throw new NodeOperationError(
				this.getNode(),
				`Video ${String(item.itemNo)} of ${taskNo} has no file: ${String(reason)}`,
				{
					itemIndex: i,
				},
			);
		}
		const name = `${taskNo}-${String(item.itemNo)}.${cover ? 'jpg' : 'mp4'}`;
		const size = cover ? undefined : Number(item.sizeBytes);
		const data = await fetchFile.call(this, {
			url,
			taskNo,
			name,
			mimeType: cover ? 'image/jpeg' : 'video/mp4',
			size,
			i,
		});
		const { itemNo, duration, width, height, sizeBytes, sha256, seed } = item;
		results.push({
			json: {
				taskNo,
				itemNo,
				fileName: data.fileName,
				duration,
				width,
				height,
				sizeBytes,
				sha256,
				seed,
			} as IDataObject,
			binary: { [field]: data },
			pairedItem: { item: i },
		});
	}
	if (results.length === 0) {
		throw new NodeOperationError(this.getNode(), `Task ${taskNo} has no files (${String(task.statusName)})`, {
			itemIndex: i,
			description: String(task.errorMsg ?? 'Wait until the task is completed. Files are deleted some days later.'),
		});
	}
	return results;
}

function select(this: IExecuteFunctions, task: IDataObject, i: number): IDataObject[] {
	const items = (task.items ?? []) as IDataObject[];
	if (this.getNodeParameter('selection', i) === 'all') return items;
	const itemNo = this.getNodeParameter('itemNo', i) as number;
	const item = items.find((candidate) => candidate.itemNo === itemNo);
	if (!item) {
		throw new NodeOperationError(this.getNode(), `Task ${String(task.taskNo)} has no video ${itemNo}`, {
			itemIndex: i,
			description: `It has ${items.length}.`,
		});
	}
	return [item];
}

interface FileRequest {
	url: string;
	taskNo: string;
	name: string;
	mimeType: string;
	/** Expected length in bytes, if it is known. */
	size: number | undefined;
	i: number;
}

async function fetchFile(this: IExecuteFunctions, request: FileRequest): Promise<IBinaryData> {
	const { taskNo, name, mimeType, size, i } = request;
	const url = reachable(request.url, taskNo, await baseUrl.call(this));
	let response: ApiResponse;
	try {
		// A signed link needs no key, and can redirect to another host.
		response = (await this.helpers.httpRequest({
			method: 'GET',
			url,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as ApiResponse;
	} catch (error) {
		throw new NodeApiError(this.getNode(), error as JsonObject, {
			message: `${name} could not be downloaded`,
			itemIndex: i,
		});
	}
	const body = response.body as Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];
	if (response.statusCode !== 200) {
		const text = await this.helpers.binaryToString(body);
		throw apiError(this.getNode(), { ...response, body: json(text) }, i);
	}
	const disposition = String(response.headers['content-disposition'] ?? '');
	const data = await this.helpers.prepareBinaryData(body, fileName(disposition) ?? name, mimeType);
	const stored = await storedSize.call(this, data);
	if (size !== undefined && stored !== size) {
		throw new NodeOperationError(this.getNode(), `${name} is incomplete: ${stored} of ${size} bytes were received`, {
			itemIndex: i,
			description: 'Run the node again.',
		});
	}
	return data;
}

/**
 * The link at the address of the credential. The service does not know under which address n8n reaches it, and by
 * default its links begin with the address that it listens at. Links to other storage stay as they are.
 */
function reachable(url: string, taskNo: string, base: string): string {
	const path = url.indexOf(`/files/${taskNo}/`);
	return path < 0 ? url : `${base}${url.slice(path)}`;
}

async function storedSize(this: IExecuteFunctions, data: IBinaryData): Promise<number> {
	if (data.id) return (await this.helpers.getBinaryMetadata(data.id)).fileSize;
	return Buffer.byteLength(data.data, 'base64');
}

function fileName(disposition: string): string | undefined {
	const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
	try {
		if (encoded) return decodeURIComponent(encoded);
	} catch {
		return undefined;
	}
	return /filename="([^"]+)"/i.exec(disposition)?.[1];
}

function json(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
