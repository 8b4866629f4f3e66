import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { jobId } from '../../shared/idempotency';
import { apiRequest, apiRequestAll } from '../../shared/transport';
import { waitForEnd } from '../../shared/wait';
import { deadline, limitOf, numberParameter } from '../parameters';
import { taskRequest } from './request';

const CALLS = '/video-process';

export async function executeTask(
	this: IExecuteFunctions,
	operation: string,
	i: number,
	started: number,
): Promise<INodeExecutionData[]> {
	const pairedItem = { item: i };
	switch (operation) {
		case 'create':
			return [{ json: await create.call(this, i), pairedItem }];
		case 'estimate': {
			const qs = this.getNodeParameter('preflight', i) ? { preflight: true } : {};
			const body = taskRequest.call(this, i);
			const json = await apiRequest.call(this, { method: 'POST', path: `${CALLS}/estimate`, qs, body, itemIndex: i });
			return [{ json, pairedItem }];
		}
		case 'cancel': {
			const path = `${CALLS}/cancel/${numberParameter.call(this, 'taskNo', i)}`;
			return [{ json: await apiRequest.call(this, { method: 'POST', path, itemIndex: i }), pairedItem }];
		}
		case 'get': {
			const path = `${CALLS}/status/${numberParameter.call(this, 'taskNo', i)}`;
			const task = await apiRequest.call(this, { path, itemIndex: i });
			return [{ json: view.call(this, task, i), pairedItem }];
		}
		case 'wait': {
			const number = numberParameter.call(this, 'taskNo', i);
			const task = await waitForEnd.call(this, {
				subject: 'Task',
				number,
				path: `${CALLS}/status/${number}`,
				deadline: deadline.call(this, i, started),
				failUnlessCompleted: this.getNodeParameter('failUnlessCompleted', i) as boolean,
				itemIndex: i,
			});
			return [{ json: view.call(this, task, i), pairedItem }];
		}
		default: {
			const tasks = await apiRequestAll.call(this, {
				path: `${CALLS}/list`,
				qs: listFilters(this.getNodeParameter('filters', i, {}) as IDataObject),
				key: 'taskNo',
				limit: limitOf.call(this, i),
				itemIndex: i,
			});
			return tasks.map((task) => ({ json: view.call(this, task, i), pairedItem }));
		}
	}
}

async function create(this: IExecuteFunctions, i: number): Promise<IDataObject> {
	const body = taskRequest.call(this, i);
	const given = this.getNodeParameter('clientTaskId', i, '') as string;
	body.clientTaskId = given || body.clientTaskId || jobId.call(this, i);
	const task = await apiRequest.call(this, { method: 'POST', path: `${CALLS}/submit`, body, itemIndex: i });
	return { ...task, clientTaskId: body.clientTaskId };
}

function listFilters(filters: IDataObject): IDataObject {
	const set = Object.entries(filters).filter(([, value]) => value !== '');
	return Object.fromEntries(set.map(([name, value]) => [name, name === 'from' || name === 'to' ? time(value) : value]));
}

/** A date of n8n as RFC 3339: the editor gives texts without an offset. */
function time(value: unknown): string {
	const date = new Date(String(value));
	return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}

function view(this: IExecuteFunctions, task: IDataObject, i: number): IDataObject {
	return this.getNodeParameter('simplify', i) ? simplified(task) : task;
}

function simplified(task: IDataObject): IDataObject {
	const result: IDataObject = {};
	for (const name of ['taskNo', 'clientTaskId', 'name', 'taskType', 'status', 'statusName', 'progressPercent']) {
		if (task[name] !== undefined) result[name] = task[name];
	}
	result.points = task.price ?? task.estimatedDotCount;
	result.errorMsg = task.errorMsg ?? null;
	if (Array.isArray(task.items)) {
		result.videos = (task.items as IDataObject[]).map((item) => ({
			itemNo: item.itemNo,
			statusName: item.statusName,
			url: item.url,
			coverUrl: item.coverUrl,
			duration: item.duration,
			error: (item.error as IDataObject | null)?.message ?? null,
		}));
	}
	return result;
}
