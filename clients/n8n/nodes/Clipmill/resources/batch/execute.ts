import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { jobId } from '../../shared/idempotency';
import { apiRequest, apiRequestAll } from '../../shared/transport';
import { waitForEnd } from '../../shared/wait';
import { deadline, limitOf, numberParameter } from '../parameters';
import { entries } from '../task/request';

export async function executeBatch(
	this: IExecuteFunctions,
	operation: string,
	i: number,
	started: number,
): Promise<INodeExecutionData[]> {
	const batchNo = numberParameter.call(this, 'batchNo', i);
	const path = `/batches/${batchNo}`;
	const pairedItem = { item: i };
	switch (operation) {
		case 'get':
			return [{ json: await apiRequest.call(this, { path, itemIndex: i }), pairedItem }];
		case 'wait': {
			const json = await waitForEnd.call(this, {
				subject: 'Batch',
				number: batchNo,
				path,
				deadline: deadline.call(this, i, started),
				failUnlessCompleted: this.getNodeParameter('failUnlessCompleted', i) as boolean,
				itemIndex: i,
			});
			return [{ json, pairedItem }];
		}
		default: {
			const state = this.getNodeParameter('state', i, '') as string;
			const rows = await apiRequestAll.call(this, {
				path: `${path}/rows`,
				qs: state ? { state } : {},
				key: 'row',
				limit: limitOf.call(this, i),
				itemIndex: i,
			});
			return rows.map((row) => ({ json: row, pairedItem }));
		}
	}
}

/** Submits one batch with a row for each input item. */
export async function createBatch(this: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = this.getInputData();
	const columns = entries(this.getNodeParameter('columns', 0, ''), ',');
	const given = this.getNodeParameter('clientBatchId', 0, '') as string;
	const fields = this.getNodeParameter('additionalFields', 0, {}) as IDataObject;
	const body: IDataObject = {
		clientBatchId: given || jobId.call(this, 'batch'),
		template: this.getNodeParameter('template', 0, '', { extractValue: true }) as string,
		rows: items.map(({ json }) => row(json, columns)),
		...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
	};
	const batch = await apiRequest.call(this, { method: 'POST', path: '/batches', body });
	const json = { ...batch, clientBatchId: body.clientBatchId };
	return [{ json, pairedItem: items.map((_, item) => ({ item })) }];
}

function row(json: IDataObject, columns: string[]): IDataObject {
	if (columns.length === 0) return { ...json };
	return Object.fromEntries(columns.filter((name) => json[name] !== undefined).map((name) => [name, json[name]]));
}
