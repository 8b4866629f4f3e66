import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import { batchDescription } from './resources/batch/description';
import { createBatch, executeBatch } from './resources/batch/execute';
import { fileDescription } from './resources/file/description';
import { executeFile } from './resources/file/execute';
import { executeTask } from './resources/task/execute';
import { taskFields } from './resources/task/fields';
import { taskOperations } from './resources/task/operations';
import { executeTemplate, getVariables, searchTemplates, templateDescription } from './resources/template';

export class Clipmill implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'clipmill',
		name: 'clipmill',
		icon: { light: 'file:../../icons/clipmill.svg', dark: 'file:../../icons/clipmill.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description: 'Render videos with the clipmill service',
		defaults: { name: 'clipmill' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'clipmillApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Batch', value: 'batch' },
					{ name: 'File', value: 'file' },
					{ name: 'Task', value: 'task' },
					{ name: 'Template', value: 'template' },
				],
				default: 'task',
			},
			...batchDescription,
			...fileDescription,
			...taskOperations,
			...taskFields,
			...templateDescription,
		],
	};

	methods = {
		listSearch: { searchTemplates },
		loadOptions: { getVariables },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const resource = this.getNodeParameter('resource', 0) as string;
		const operation = this.getNodeParameter('operation', 0) as string;
		const started = Date.now();
		const results: INodeExecutionData[] = [];
		// All items of a batch are one submission.
		const together = resource === 'batch' && operation === 'create';
		for (let i = 0; i < (together ? 1 : items.length); i += 1) {
			try {
				if (together) results.push(...(await createBatch.call(this)));
				else if (resource === 'batch') results.push(...(await executeBatch.call(this, operation, i, started)));
				else if (resource === 'file') results.push(...(await executeFile.call(this, operation, i)));
				else if (resource === 'task') results.push(...(await executeTask.call(this, operation, i, started)));
				else results.push(...(await executeTemplate.call(this, i)));
			} catch (error) {
				if (this.continueOnFail()) {
					const pairedItem = together ? items.map((_, item) => ({ item })) : { item: i };
					results.push({ json: { error: (error as Error).message, ...details(error) }, pairedItem });
					continue;
				}
				if (error instanceof NodeApiError) throw new NodeApiError(this.getNode(), error as unknown as JsonObject);
				throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: i });
			}
		}
		return [results];
	}
}

/**
 * What a workflow needs to handle an error: the status, the code and the fields that the API named. n8n moves items to
 * the error output only if they have no other fields than `error`, `message` and `details`.
 */
function details(error: unknown): IDataObject {
	if (!(error instanceof NodeApiError)) return {};
	const { httpCode, description, context } = error;
	return {
		details: { httpCode, description: description ?? null, data: (context.data ?? null) as IDataObject | null },
	};
}
