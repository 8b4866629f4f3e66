import type { INodeProperties } from 'n8n-workflow';
import { forOperations, returnAllAndLimit, template, waiting } from '../common';

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['batch'] } },
	options: [
		{
			name: 'Create From Items',
			value: 'create',
			action: 'Create a batch from items',
			description: 'Render a template once for every input item',
		},
		{ name: 'Get', value: 'get', action: 'Get a batch', description: 'Get the state and progress of a batch' },
		{
			name: 'Get Many Rows',
			value: 'getRows',
			action: 'Get many rows of a batch',
			description: 'List the rows of a batch with their tasks',
		},
		{ name: 'Wait', value: 'wait', action: 'Wait for a batch', description: 'Wait until a batch has ended' },
	],
	default: 'create',
};

export const batchDescription: INodeProperties[] = [
	operation,
	...forOperations(
		'batch',
		['create'],
		[
			template,
			{
				displayName: 'Columns',
				name: 'columns',
				type: 'string',
				default: '',
				placeholder: 'e.g. product, price, clip',
				description:
					'Fields of the input items that are values of variables, separated by commas. By default, all fields. Up to 1,000 items become one batch.',
			},
			{
				displayName: 'Client Batch ID',
				name: 'clientBatchId',
				type: 'string',
				default: '',
				placeholder: 'e.g. products-2026-11',
				description:
					'Your own ID of the batch. The same batch with the same ID is never rendered or charged twice. By default, an ID of the execution, which stays the same when n8n retries it.',
			},
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				options: [
					{
						displayName: 'Callback URL',
						name: 'callbackUrl',
						type: 'string',
						default: '',
						placeholder: 'e.g. the production URL of a clipmill Trigger',
						description: 'Receives one message when the batch has ended',
					},
					{
						displayName: 'Max Points',
						name: 'maxPoints',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 1000,
						description: 'Maximum price of all rows together. A more expensive batch is rejected.',
					},
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						description: 'Name of the batch and of its files',
					},
					{
						displayName: 'Partial',
						name: 'partial',
						type: 'boolean',
						default: false,
						description: 'Whether to accept only as many rows, from the first, as the balance covers',
					},
					{
						displayName: 'Template Version',
						name: 'version',
						type: 'number',
						typeOptions: { minValue: 1 },
						default: 1,
						description: 'By default, the newest version',
					},
				],
			},
		],
	),
	...forOperations(
		'batch',
		['get', 'getRows', 'wait'],
		[
			{
				displayName: 'Batch Number',
				name: 'batchNo',
				type: 'string',
				default: '={{ $json.batchNo }}',
				required: true,
				placeholder: 'e.g. BP01M7Y7SJE4P7BM18RVJ8SFE3ZB',
			},
		],
	),
	...forOperations('batch', ['getRows'], returnAllAndLimit),
	...forOperations(
		'batch',
		['getRows'],
		[
			{
				displayName: 'State',
				name: 'state',
				type: 'options',
				options: [
					{ name: 'All', value: '' },
					{ name: 'Cancelled', value: 'cancelled' },
					{ name: 'Failed', value: 'failed', description: 'Refused rows, and rows whose videos are not all delivered' },
					{ name: 'Made', value: 'made', description: 'Rows with a task' },
					{ name: 'Refused', value: 'refused' },
					{ name: 'Waiting', value: 'waiting' },
				],
				default: '',
			},
		],
	),
	...forOperations('batch', ['wait'], waiting),
];
