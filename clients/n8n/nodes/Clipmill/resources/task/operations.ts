import type { INodeProperties } from 'n8n-workflow';
import { forOperations, returnAllAndLimit, simplify, waiting } from '../common';

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['task'] } },
	options: [
		{
			name: 'Cancel',
			value: 'cancel',
			action: 'Cancel a task',
			description: 'Stop a task. Videos that are already delivered remain available and are charged.',
		},
		{
			name: 'Create',
			value: 'create',
			action: 'Create a task',
			description: 'Submit a request that renders one or more videos',
		},
		{
			name: 'Estimate',
			value: 'estimate',
			action: 'Estimate a task',
			description: 'Get the price of a request without submitting it',
		},
		{ name: 'Get', value: 'get', action: 'Get a task', description: 'Get the state, progress and videos of a task' },
		{ name: 'Get Many', value: 'getAll', action: 'Get many tasks', description: 'List tasks, newest first' },
		{
			name: 'Wait',
			value: 'wait',
			action: 'Wait for a task',
			description: 'Wait until a task has ended, and get its videos',
		},
	],
	default: 'create',
};

const taskNo: INodeProperties = {
	displayName: 'Task Number',
	name: 'taskNo',
	type: 'string',
	default: '={{ $json.taskNo }}',
	required: true,
	placeholder: 'e.g. VP01M7Y7SJE4P7BM18RVJ8SFE3ZB',
};

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: 'Label',
			name: 'label',
			type: 'string',
			default: '',
			description: 'Only tasks with exactly this label',
		},
		{
			displayName: 'Search',
			name: 'q',
			type: 'string',
			default: '',
			description: 'Words in the name, the number or the client task ID',
		},
		{
			displayName: 'State',
			name: 'status',
			type: 'options',
			default: 3,
			options: [
				{ name: 'Cancelled', value: 5 },
				{ name: 'Completed', value: 3 },
				{ name: 'Executing', value: 2 },
				{ name: 'Failed', value: 4 },
				{ name: 'Pending Submission', value: 0 },
				{ name: 'Queued', value: 1 },
				{ name: 'Rejected', value: 6 },
			],
		},
		{ displayName: 'Submitted After', name: 'from', type: 'dateTime', default: '' },
		{ displayName: 'Submitted Before', name: 'to', type: 'dateTime', default: '' },
		{
			displayName: 'Task Type',
			name: 'taskType',
			type: 'options',
			default: 'baseVideoMix',
			options: [
				{ name: 'Base Video Mix', value: 'baseVideoMix' },
				{ name: 'Pro Video Mix', value: 'proVideoMix' },
				{ name: 'Video Deduplication', value: 'videoDeduplication' },
			],
		},
	],
};

export const taskOperations: INodeProperties[] = [
	operation,
	...forOperations('task', ['cancel', 'get', 'wait'], [taskNo]),
	...forOperations('task', ['wait'], waiting),
	...forOperations('task', ['getAll'], returnAllAndLimit),
	...forOperations('task', ['getAll'], [filters]),
	...forOperations('task', ['get', 'getAll', 'wait'], [simplify]),
];
